import { isStrataError } from 'strata-kit/errors';
import type { FaultChances, FaultName } from 'strata-kit/rpc/faults/names';
import { beforeAll, describe, expect, it } from 'vitest';
import { RowReader } from '../../src/core/rowbinary.ts';
import type { StoreFactory } from '../../src/store/store.ts';
import { digestLines, digestOf, indexInto, withFreshStore } from '../support/indexing.ts';
import { withNodes } from '../support/nodes.ts';
import { seededRandom } from '../support/random.ts';
import { recordedDigest, recordedHeightDigests } from '../support/recorded-digests.ts';

/**
 * Nodes that do wrong: the store's digest is that of a run without them, or the run stops with the reason. A failing
 * run is brought back by its seed. FAULT_SEEDS=100 runs that many mixtures instead of a handful.
 */

const TO_HEIGHT = 120;
/** A node of which half of the answers are useless is waited for: a minute of pauses, and more beside other work. */
const LIMIT_MS = 300_000;
const RUN = { toHeight: TO_HEIGHT, rangeBlocks: 20, workers: 1 };
const MIXTURES = Number(process.env.FAULT_SEEDS ?? 2);
const FIRST_SEED = Number(process.env.FAULT_FIRST_SEED ?? 1);

let reference: readonly string[];
beforeAll(async () => {
  reference = await recordedDigest(TO_HEIGHT);
});

/** Faults of single answers: none of them may show in the store. */
const PASSING = [
  'delay',
  'drop',
  'cut',
  'repeat',
  'throttle',
  'error',
  'wrong-height',
  'swap-results',
  'tamper',
  'lag',
  'layout',
] as const satisfies readonly FaultName[];

/** Several in one run: each must have occurred, and one that gets through shows whatever the others do. */
const TOGETHER: readonly (readonly FaultName[])[] = [
  ['delay', 'drop', 'repeat', 'wrong-height'],
  ['cut', 'throttle', 'swap-results'],
  ['error', 'tamper', 'layout'],
  ['lag'],
];

async function heightDigests(stores: StoreFactory): Promise<readonly string[]> {
  const store = await stores.open('digests');
  const rows = new RowReader(await store.query('SELECT hex(digest) FROM height_digests ORDER BY height'));
  const found: string[] = [];
  while (!rows.done) found.push(rows.string());
  await store.close();
  return found;
}

function countingFaults(chances: FaultChances, seed: number) {
  const seen = new Map<FaultName, number>();
  const onFault = (name: FaultName): unknown => seen.set(name, (seen.get(name) ?? 0) + 1);
  return { faults: { chances, seed, onFault }, seen };
}

describe('a node that does wrong now and then', () => {
  it('does so in each way', () => {
    expect(TOGETHER.flat().toSorted()).toEqual(PASSING.toSorted());
  });

  it.each(TOGETHER.map((names) => [names.join(', '), names] as const))(
    '(%s) leaves no trace in the store',
    async (_names, names) => {
      const { faults, seen } = countingFaults(new Map(names.map((name) => [name, 0.2])), 7);
      // what lags shows at the head
      const isLagging = names.includes('lag');
      const run = isLagging ? { ...RUN, toHeight: 501, rangeBlocks: 50 } : RUN;
      const digest = await withNodes([{ faults }], (source) => digestOf({ ...run, source }));
      expect(digest).toEqual(isLagging ? await recordedDigest() : reference);
      for (const name of names) expect(seen.get(name), name).toBeGreaterThan(0);
    },
    LIMIT_MS,
  );

  it(
    'prints every answer otherwise, and the store is the same',
    async () => {
      const { faults } = countingFaults(new Map([['layout', 1]]), 3);
      const errors: string[] = [];
      const observer = { onError: (_node: string, code: string) => errors.push(code) };
      const digest = await withNodes([{ faults }], (source) => digestOf({ ...RUN, source }), { observer });
      expect(digest).toEqual(reference);
      // none of them is a bad answer, and asked for again
      expect(errors).toEqual([]);
    },
    LIMIT_MS,
  );
});

describe('mixtures of faults', () => {
  const seeds = Array.from({ length: MIXTURES }, (_, i) => FIRST_SEED + i);
  it.each(seeds)(
    'of seed %d leave no trace, from one node or two',
    async (seed) => {
      const random = seededRandom(seed);
      const mixture = (): FaultChances =>
        new Map(PASSING.map((name) => [name, random.between(0, 1) * (random.between(2, 12) / 100)]));
      const nodes = Array.from({ length: random.between(1, 2) }, (_, i) => ({
        faults: countingFaults(mixture(), seed * 10 + i).faults,
      }));
      const digest = await withNodes(nodes, (source) => digestOf({ ...RUN, source }));
      expect(digest).toEqual(reference);
    },
    LIMIT_MS,
  );
});

describe('a node whose chain is another', () => {
  it(
    'by its id stops the run with the reason',
    async () => {
      const { faults } = countingFaults(new Map([['chain-id', 1]]), 1);
      const run = withNodes([{ faults }], (source) => digestOf({ ...RUN, toHeight: 501, source }));
      await expect(run).rejects.toMatchObject({ code: 'chain_id_mismatch' });
    },
    LIMIT_MS,
  );

  it(
    'by its blocks, which are well-formed and fit each other, stops a run that has other ones',
    async () => {
      const { faults } = countingFaults(new Map([['fork', 1]]), 1);
      await withFreshStore(async (stores) => {
        await indexInto(stores, { toHeight: 400 });
        const run = withNodes([{ faults }], (source) => indexInto(stores, { source, toHeight: 420 }));
        await expect(run).rejects.toMatchObject({ code: 'parent_mismatch', height: 401 });
        expect(await digestLines(stores)).toEqual(await recordedDigest(400));
      });
    },
    LIMIT_MS,
  );

  it(
    'now and then gives one chain or none, never a mixture',
    async () => {
      const fork = (chance: number, seed: number) => ({
        faults: countingFaults(new Map([['fork', chance]]), seed).faults,
      });
      // one seed, one place where the branches part
      const seed = 5;
      const run = { ...RUN, toHeight: 380, rangeBlocks: 50 };
      const right = await recordedDigest(run.toHeight);
      const forked = await withNodes([fork(1, seed)], (source) => digestOf({ ...run, source }));
      expect(forked).not.toEqual(right);
      const mixed = await withNodes([fork(0.3, seed)], (source) => digestOf({ ...run, source })).catch(
        (error: unknown) => {
          if (isStrataError(error, 'parent_mismatch')) return right;
          throw error;
        },
      );
      expect([right, forked]).toContainEqual(mixed);
    },
    LIMIT_MS,
  );
});

describe('a node that halts', () => {
  it(
    'is indexed up to there, and waited for',
    async () => {
      const { faults } = countingFaults(new Map([['halt', 1]]), 2);
      const stop = new AbortController();
      let halted = 0;
      let indexed = 0;
      const digests = await withNodes([{ faults }], async (source) => {
        halted = (await source.head()).latestHeight;
        return withFreshStore(async (stores) => {
          await indexInto(stores, {
            ...RUN,
            toHeight: 501,
            source,
            signal: stop.signal,
            onCommit: ({ height }) => {
              indexed = height;
              if (height === halted) stop.abort();
            },
          });
          return heightDigests(stores);
        });
      });
      expect(halted).toBeLessThan(501);
      expect(indexed).toBe(halted);
      expect(digests).toEqual((await recordedHeightDigests()).slice(0, halted));
    },
    LIMIT_MS,
  );
});
