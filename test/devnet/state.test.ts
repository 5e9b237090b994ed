import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAppHash } from '../../src/devnet/state/app-hash.ts';
import { createOverlay } from '../../src/devnet/state/overlay.ts';
import { collection, createState, type State } from '../../src/devnet/state/state.ts';

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
