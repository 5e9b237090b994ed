import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FaultName } from '../../src/chain/replay/faults/names.ts';
import type { BlockSource } from '../../src/chain/source.ts';
import { type Clock, systemClock } from '../../src/core/clock.ts';
import { ALL_HEIGHTS } from '../../src/core/height-ranges.ts';
import { RowReader } from '../../src/core/rowbinary.ts';
import { type BadBlockRow, listBadBlocks, readBadBlocks } from '../../src/store/bad-blocks.ts';
import { rewindStore } from '../../src/store/recovery.ts';
import type { Store, StoreFactory } from '../../src/store/store.ts';
import { dieAt } from '../kill/mortal.ts';
import { runHere } from '../support/command-here.ts';
import {
  digestLines,
  digestOf,
  type IndexRun,
  indexInto,
  recordedSource,
  withFreshStore,
  withStore,
} from '../support/indexing.ts';
import { withNodes } from '../support/nodes.ts';
import { recordedDigest, recordedHeightDigests } from '../support/recorded-digests.ts';
import { changedSource } from '../support/sources.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Blocks whose results no node gives as they should be. Height 35 has 18 txs, 36 has 20. */

const BAD = 35;
const END = 50;
const RUN = { toHeight: END, rangeBlocks: 20, workers: 1 } as const;
/** So that pauses between attempts take no time. */
const hasty: Clock = {
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 5), signal),
};

let recorded: BlockSource;
let digests: readonly string[];
beforeAll(async () => {
  recorded = await recordedSource();
  digests = await recordedHeightDigests();
}, 60_000);
afterAll(() => recorded.close());

const badAt = (heights: readonly number[], change: (line: string) => string): BlockSource =>
  changedSource(recorded, { line: (height, line) => (heights.includes(height) ? change(line) : line) });
/** The first result of many. */
const oneResult = (line: string): string => {
  const parsed = JSON.parse(Buffer.from(line, 'latin1').toString('utf8')) as {
    block_results: { txs_results: unknown[] };
  };
  parsed.block_results.txs_results.splice(1);
  return Buffer.from(JSON.stringify(parsed), 'utf8').toString('latin1');
};
const otherGas = (line: string): string => line.replaceAll(/("gas_used":")\d/g, '$19');

async function ask<T>(stores: StoreFactory, read: (store: Store) => Promise<T>): Promise<T> {
  const store = await stores.open('asked');
  try {
    return await read(store);
  } finally {
    await store.close();
  }
}

const badRows = (stores: StoreFactory): Promise<readonly BadBlockRow[]> =>
  ask(stores, (store) => readBadBlocks(store, 1, 1_000, 100));

async function texts(stores: StoreFactory, sql: string): Promise<string[]> {
  return ask(stores, async (store) => {
    const rows = new RowReader(await store.query(sql));
    const found: string[] = [];
    while (!rows.done) found.push(rows.string());
    return found;
  });
}

const heightDigests = (stores: StoreFactory): Promise<string[]> =>
  texts(stores, 'SELECT hex(digest) FROM height_digests ORDER BY height');

describe('a block with one result for many txs', () => {
  it('stops the run with its name, and what comes before it is in the store', () =>
    withFreshStore(async (stores) => {
      const run = indexInto(stores, { ...RUN, source: badAt([BAD], oneResult) });
      await expect(run).rejects.toMatchObject({
        code: 'block_unusable',
        height: BAD,
        message: expect.stringMatching(
          /block 35 cannot be used as .*18 txs and 1 results.*--accept-bad-blocks 35 keeps it/,
        ),
      });
      expect(await heightDigests(stores)).toEqual(digests.slice(0, BAD - 1));
    }));

  it('is kept where that is allowed: none of its txs is a success, and all else is as it should be', () =>
    withFreshStore(async (stores) => {
      const warnings: string[] = [];
      const source = badAt([BAD], oneResult);
      const commits = await indexInto(stores, { ...RUN, source, acceptBadBlocks: [[BAD, BAD]], warnings });
      expect(commits.flatMap(({ badBlocks }) => badBlocks)).toEqual([BAD]);
      expect(warnings).toEqual([expect.stringContaining(`height ${BAD}`)]);
      const kept = await heightDigests(stores);
      expect(kept.map((digest, i) => (digest === digests[i] ? undefined : i + 1)).filter(Boolean)).toEqual([
        BAD,
      ]);
      expect(await badRows(stores)).toEqual([
        {
          height: BAD,
          reason: 'results_missing',
          message: `block ${BAD} has 18 txs and 1 results`,
          node: recorded.name,
          resultsSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      ]);
      expect(
        await texts(
          stores,
          `SELECT DISTINCT concat(codespace, '/', toString(code), ' ', raw_log, ' ', events) FROM txs WHERE height = ${BAD}`,
        ),
      ).toEqual([
        'strata/1 no node gave a usable result (results_missing): whether this transaction succeeded is not known []',
      ]);
      // a commit ends before it, and it goes with a rewind
      expect(await ask(stores, (store) => rewindStore(store, BAD))).toMatchObject({
        checkpoint: { height: BAD - 1 },
      });
      expect(await badRows(stores)).toEqual([]);
      await indexInto(stores, RUN);
      expect(await digestLines(stores)).toEqual(await recordedDigest(END));
    }));
});

describe('results that the next header disproves', () => {
  it('stop the run, and none of them is kept where the block is', () =>
    withFreshStore(async (stores) => {
      const run: IndexRun = { ...RUN, source: badAt([BAD, BAD + 1], otherGas) };
      await expect(indexInto(stores, run)).rejects.toMatchObject({ code: 'block_unusable', height: BAD });
      expect(await heightDigests(stores)).toEqual(digests.slice(0, BAD - 1));
      await indexInto(stores, { ...run, acceptBadBlocks: ALL_HEIGHTS });
      expect((await badRows(stores)).map(({ height, reason }) => [height, reason])).toEqual([
        [BAD, 'results_disproved'],
        [BAD + 1, 'results_disproved'],
      ]);
      expect((await heightDigests(stores)).slice(BAD + 1)).toEqual(digests.slice(BAD + 1, END));
    }));
});

describe('nodes with bad blocks', () => {
  const FAULTS = ['results-missing', 'results-broken'] as const;
  /** Always the same heights. */
  const faults = (name: FaultName) => ({ faults: { chances: new Map([[name, 0.1]]), seed: 3 } });

  it.each(FAULTS)('%s: leave no trace beside one that has them right', async (name) => {
    const run = { ...RUN, acceptBadBlocks: ALL_HEIGHTS };
    const digest = await withNodes([faults(name), {}], (source) => digestOf({ ...run, source }));
    expect(digest).toEqual(await recordedDigest(END));
  });

  it.each(FAULTS)('%s: stop the run where they are alone', (name) =>
    withNodes([faults(name)], (source, urls) =>
      withFreshStore(async (stores) => {
        const error = await indexInto(stores, { ...RUN, source, clock: hasty }).catch(
          (thrown: unknown) => thrown,
        );
        expect(error).toMatchObject({
          code: 'block_unusable',
          message: expect.stringContaining(urls[0] ?? ''),
        });
        const { height } = error as { readonly height: number };
        expect(await heightDigests(stores)).toEqual(digests.slice(0, height - 1));
      }),
    ),
  );

  it.each(FAULTS)('%s: are indexed where that is allowed, until a better node comes', async (name) => {
    const folder = await temporaryFolder();
    const run = { ...RUN, acceptBadBlocks: ALL_HEIGHTS, clock: hasty };
    try {
      const heights = await withNodes([faults(name)], (source) =>
        withStore(folder.path, async (stores) => {
          await dieAt(stores, 'commit:insert/bad_blocks@2', ({ stores: mortal, threads }) =>
            indexInto(mortal, { ...run, source, threads }),
          );
          await indexInto(stores, { ...run, source });
          const kept = await heightDigests(stores);
          const found = (await badRows(stores)).map(({ height }) => height);
          const others = kept.flatMap((digest, i) => (digest === digests[i] ? [] : [i + 1]));
          // one without txs and with its events has all that it should have
          expect(found).toEqual(expect.arrayContaining(others));
          expect(found.length).toBeGreaterThan(2);
          return found;
        }),
      );
      const [height = 0] = heights.filter((each) => each > 1);
      await withNodes([faults(name)], async (_source, [url = '']) => {
        const refused = await runHere('repair', '--height', `${height}`, '--rpc', url, '--data', folder.path);
        expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('block_unusable') });
      });
      await withNodes([{}], async (source, [url = '']) => {
        const repair = (at: number) =>
          runHere('repair', '--height', `${at}`, '--rpc', url, '--data', folder.path);
        expect(await repair(END + 1)).toMatchObject({ exitCode: 2 });
        const whole = { exitCode: 0, stdout: expect.stringContaining(`height ${height} is whole now`) };
        expect(await repair(height)).toMatchObject(whole);
        // cut short behind the rewind
        await withStore(folder.path, (stores) => ask(stores, (store) => rewindStore(store, height - 1)));
        expect(await repair(height)).toMatchObject({ exitCode: 2 });
        await withStore(folder.path, async (stores) => {
          await indexInto(stores, { ...RUN, source });
          expect(await digestLines(stores)).toEqual(await recordedDigest(END));
        });
        expect(await repair(height)).toMatchObject({
          exitCode: 0,
          stdout: expect.stringContaining('nothing'),
        });
      });
    } finally {
      await folder.remove();
    }
  });
});
