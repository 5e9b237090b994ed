import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAppHash } from '../src/state/app-hash.ts';
import { createHistory } from '../src/state/history.ts';
import { createMemoryKv, type Kv } from '../src/state/kv.ts';
import { createOverlay } from '../src/state/overlay.ts';
import { collection, createState, type State } from '../src/state/state.ts';

const THINGS = collection<number>('test/things');
const key = fc.constantFrom('a', 'a/b', 'a/c', 'ab', 'b', 'c');
const act = fc.oneof(
  fc.record({ do: fc.constant('set' as const), key, value: fc.nat(9) }),
  fc.record({ do: fc.constant('delete' as const), key, value: fc.constant(0) }),
  fc.record({ do: fc.constant('mark' as const), key, value: fc.constant(0) }),
  fc.record({ do: fc.constant('revert' as const), key, value: fc.constant(0) }),
);

interface Act {
  readonly do: 'set' | 'delete' | 'mark' | 'revert';
  readonly key: string;
  readonly value: number;
}

function play(state: State, acts: readonly Act[]): void {
  const marks: number[] = [];
  for (const { do: name, key: at, value } of acts) {
    if (name === 'set') state.set(THINGS, at, value);
    if (name === 'delete') state.delete(THINGS, at);
    if (name === 'mark') marks.push(state.mark());
    const mark = name === 'revert' ? marks.pop() : undefined;
    if (mark !== undefined) state.revert(mark);
  }
}

const all = (state: Pick<State, 'entries'>, prefix?: string) => [...state.entries(THINGS, prefix)];

describe('an overlay', () => {
  it('is a state of its own over one that stays as it is', () => {
    fc.assert(
      fc.property(fc.array(act), fc.array(act), (below, above) => {
        const [state, model] = [createState(), createState()];
        play(state, below);
        play(model, below);
        const before = all(state);
        const overlay = createOverlay(state);
        play(overlay, above);
        play(model, above);
        expect(all(overlay)).toEqual(all(model));
        expect(all(overlay, 'a/')).toEqual(all(model, 'a/'));
        expect(overlay.get(THINGS, 'ab')).toBe(model.get(THINGS, 'ab'));
        expect(all(state)).toEqual(before);
        overlay.clear();
        expect(all(overlay)).toEqual(before);
      }),
      { seed: 1, numRuns: 500 },
    );
  });
});

describe('the app hash', () => {
  it('depends on what the state holds, not on how it came about', () => {
    fc.assert(
      fc.property(fc.array(fc.array(act)), (blocks) => {
        const state = createState();
        const grown = createAppHash();
        for (const acts of blocks) {
          play(state, acts);
          grown.apply(state.takeChanges());
        }
        const whole = createAppHash();
        for (const [at, value] of all(state)) whole.add('test/things', at, String(value));
        expect(grown.current()).toBe(whole.current());
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  it('is the sum of the SHA-256 of each record', () => {
    const one = createAppHash();
    one.add('c', 'k', 'v');
    // printf 'c\0k\0v' | sha256sum
    expect(one.current()).toBe('457C64186042CCE88CCA1D599C60E9DDCA6251C03D0C0F7FF7F3B2EBD3D40036');
  });
});

describe('a history', () => {
  const open = (kv: Kv) =>
    createHistory(kv, { remembersChanges: false, keepsNewest: false, keepsVersions: true });
  const change = (key: string, after: string | undefined) => {
    return { collection: 'test/things', key, before: undefined, after };
  };

  it('has at each height what the state had then, however often records changed', () => {
    // few keys and many heights, so that records have more versions than a walk reads one after another
    const writes = fc.array(fc.dictionary(key, fc.option(fc.nat(9), { nil: undefined })), { maxLength: 60 });
    fc.assert(
      fc.property(writes, fc.nat(60), fc.option(key, { nil: undefined }), (blocks, height, after) => {
        const kv = createMemoryKv();
        const history = open(kv);
        const model = new Map<string, string | undefined>();
        for (const [at, block] of blocks.entries()) {
          const changes = Object.entries(block).map(([name, value]) =>
            change(name, value === undefined ? undefined : String(value)),
          );
          kv.write((batch) => history.add(batch, at, changes));
          if (at <= height) for (const { key: name, after: text } of changes) model.set(name, text);
        }
        for (const prefix of ['', 'a/']) {
          const expected = [...model]
            .filter(([name, text]) => name.startsWith(prefix) && text !== undefined)
            .filter(([name]) => after === undefined || name > after)
            .sort(([a], [b]) => (a < b ? -1 : 1));
          const found = [...history.textsAt(height).entries('test/things', prefix, after)];
          expect(found.filter(([, text]) => text !== undefined)).toEqual(expected);
        }
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it('reads a few versions of a record, not all that it ever had', () => {
    const kv = createMemoryKv();
    let reads = 0;
    const history = open({
      ...kv,
      *range(from, to) {
        for (const entry of kv.range(from, to)) {
          reads += 1;
          yield entry;
        }
      },
      last(from, to) {
        reads += 1;
        return kv.last(from, to);
      },
    });
    const keys = ['a', 'b', 'c'];
    kv.write((batch) => {
      for (let height = 1; height <= 1_000; height++)
        history.add(
          batch,
          height,
          keys.map((name) => change(name, String(height))),
        );
    });
    for (const height of [1, 500, 1_000]) {
      reads = 0;
      const found = [...history.textsAt(height).entries('test/things', '')];
      expect(found).toEqual(keys.map((name) => [name, String(height)]));
      expect(reads).toBeLessThanOrEqual(keys.length * 18);
    }
  });
});
