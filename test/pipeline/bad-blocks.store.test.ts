import { type Clock, systemClock } from 'strata-kit/clock';
import { ALL_HEIGHTS } from 'strata-kit/height-ranges';
import type { FaultName } from 'strata-kit/rpc/faults/names';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BlockSource } from '../../src/chain/source.ts';
import { RowReader } from '../../src/core/rowbinary.ts';
import { type BadBlockRow, readBadBlocks } from '../../src/store/bad-blocks.ts';
import { writeFacts } from '../../src/store/facts.ts';
import { rewindStore } from '../../src/store/recovery.ts';
import type { Store, StoreFactory } from '../../src/store/store.ts';
import { serveStores } from '../e2e/support/recorded-api.ts';
import { dieAt } from '../kill/mortal.ts';
import { runHere } from '../support/command-here.ts';
import { IS_FULL } from '../support/full.ts';
import {
  digestLines,
  digestOf,
  type IndexRun,
  indexInto,
  recordedSource,
  withStore,
} from '../support/indexing.ts';
import { withNodes } from '../support/nodes.ts';
import { recordedDigest, recordedHeightDigests } from '../support/recorded-digests.ts';
import { changedSource } from '../support/sources.ts';
import { openTestStores } from '../support/stores.ts';
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
});
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
/** An answer of a node, with an error in place of the results of that height. */
const withoutResults = (answer: string): string => {
  const start = answer.indexOf(`"result":{"height":"${BAD}",`);
  if (start < 0) return answer;
  const next = answer.indexOf('},{"jsonrpc"', start);
  const end = next >= 0 ? next : answer.startsWith('[') ? answer.lastIndexOf('}]') : answer.length - 1;
  const error = '"error":{"code":-32603,"message":"Internal error","data":"no such results"}';
  return `${answer.slice(0, start)}${error}${answer.slice(end)}`;
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

/** One store, in which each run goes on where the one before has ended. */
describe('a run that comes to a bad block', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let stores: StoreFactory;
  beforeAll(async () => {
    folder = await temporaryFolder();
    stores = await openTestStores(folder.path);
  });
  afterAll(async () => {
    await stores.close();
    await folder.remove();
  });

  it('with one result for many txs stops there, and what comes before it is in the store', async () => {
    const run = indexInto(stores, { ...RUN, source: badAt([BAD], oneResult) });
    await expect(run).rejects.toMatchObject({
      code: 'block_unusable',
      height: BAD,
      message: expect.stringMatching(
        /block 35 cannot be used as .*18 txs and 1 results.*--accept-bad-blocks 35 keeps it/,
      ),
    });
    expect(await heightDigests(stores)).toEqual(digests.slice(0, BAD - 1));
  });

  it('whose header is wrong too stops there, whatever is allowed', async () => {
    const foreign = (line: string) =>
      oneResult(line).replace(/("app_hash":")(.)/, (_all, key, hex) => `${key}${hex === '0' ? '1' : '0'}`);
    const run = indexInto(stores, { ...RUN, source: badAt([BAD], foreign), acceptBadBlocks: ALL_HEIGHTS });
    await expect(run).rejects.toMatchObject({
      code: 'block_unusable',
      message: expect.stringContaining('cannot be kept'),
    });
    expect(await heightDigests(stores)).toEqual(digests.slice(0, BAD - 1));
  });

  it('that may be kept goes on: none of its txs is a success, and all else is as it should be', async () => {
    const warnings: string[] = [];
    const source = badAt([BAD], oneResult);
    const commits = await indexInto(stores, { ...RUN, source, acceptBadBlocks: [[BAD, BAD]], warnings });
    expect(commits.flatMap(({ badBlocks }) => badBlocks)).toEqual([BAD]);
    expect(warnings).toEqual([expect.stringContaining(`block ${BAD} is kept`)]);
    const kept = await heightDigests(stores);
    expect(kept.flatMap((digest, i) => (digest === digests[i] ? [] : [i + 1]))).toEqual([BAD]);
    expect(await badRows(stores)).toEqual([
      {
        height: BAD,
        reason: 'results_missing',
        message: `block ${BAD} has 18 txs and 1 results`,
        node: recorded.name,
        resultsSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
  });

  it('answers that it does not know, and lets no cache keep it', async () => {
    const api = await serveStores({ ...stores, close: async () => undefined });
    const answer = await api.ask(`/v1/blocks/${BAD}`);
    const { txs } = answer.json as { readonly txs: readonly object[] };
    expect(txs).toHaveLength(18);
    const raw_log =
      'no node gave a usable result (results_missing): whether this transaction succeeded is not known';
    for (const tx of txs) expect(tx).toMatchObject({ code: 1, codespace: 'strata', raw_log, events: [] });
    const whole = await api.ask(`/v1/blocks/${BAD - 1}`);
    const caching = [answer, whole].map(({ headers }) => headers.get('cache-control'));
    expect(caching).toEqual([expect.stringContaining('no-cache'), expect.stringContaining('immutable')]);
    await api.close();
  });

  it('is taken back to the block before it by a rewind', async () => {
    const { checkpoint } = await ask(stores, (store) => rewindStore(store, BAD));
    expect([checkpoint.height, await badRows(stores)]).toEqual([BAD - 1, []]);
  });

  it('whose results the next header disproves stops there too, or keeps none of them', async () => {
    const run: IndexRun = { ...RUN, source: badAt([BAD, BAD + 1], otherGas), clock: hasty };
    await expect(indexInto(stores, run)).rejects.toMatchObject({ code: 'block_unusable', height: BAD });
    await indexInto(stores, { ...run, acceptBadBlocks: ALL_HEIGHTS });
    expect((await badRows(stores)).map(({ height, reason }) => [height, reason])).toEqual([
      [BAD, 'results_disproved'],
      [BAD + 1, 'results_disproved'],
    ]);
    const kept = await heightDigests(stores);
    expect(kept.flatMap((digest, i) => (digest === digests[i] ? [] : [i + 1]))).toEqual([BAD, BAD + 1]);
  });
});

describe('nodes with bad blocks', () => {
  /** Always the same heights. */
  const bad = () => ({
    faults: {
      chances: new Map<FaultName, number>([
        ['results-missing', 0.06],
        ['results-broken', 0.06],
      ]),
      seed: 3,
    },
  });

  it('leave no trace beside one that has them right', async () => {
    const run = { ...RUN, acceptBadBlocks: ALL_HEIGHTS };
    const digest = await withNodes([bad(), {}], (source) => digestOf({ ...run, source }));
    expect(digest).toEqual(await recordedDigest(END));
  });

  it('that refuse the results of one height stop the run there, or keep the block without them', async () => {
    const folder = await temporaryFolder();
    try {
      await withNodes(
        [{ change: withoutResults }, { change: withoutResults }],
        (source) =>
          withStore(folder.path, async (stores) => {
            const run = { ...RUN, source, clock: hasty };
            await expect(indexInto(stores, run)).rejects.toMatchObject({
              code: 'block_unusable',
              height: BAD,
              message: expect.stringMatching(/no such results.*--accept-bad-blocks 35 keeps it/),
            });
            expect(await heightDigests(stores)).toEqual(digests.slice(0, BAD - 1));
            await indexInto(stores, { ...run, acceptBadBlocks: [[BAD, BAD]] });
            const kept = await heightDigests(stores);
            expect(kept.flatMap((digest, i) => (digest === digests[i] ? [] : [i + 1]))).toEqual([BAD]);
            expect((await badRows(stores)).map(({ height, reason }) => [height, reason])).toEqual([
              [BAD, 'results_unreadable'],
            ]);
          }),
        { clock: hasty },
      );
    } finally {
      await folder.remove();
    }
  });

  it.runIf(IS_FULL)(
    'alone stop the run, or are indexed with the heights on record, until a better one comes',
    async () => {
      const folder = await temporaryFolder();
      const repair = (height: number, url: string) =>
        runHere('repair', '--height', `${height}`, '--rpc', url, '--data', folder.path);
      try {
        const heights = await withNodes([bad()], (source, [url = '']) =>
          withStore(folder.path, async (stores) => {
            const run = { ...RUN, source, clock: hasty };
            const stopped = { code: 'block_unusable', message: expect.stringContaining(url) };
            await expect(indexInto(stores, run)).rejects.toMatchObject(stopped);
            const accepting = { ...run, acceptBadBlocks: ALL_HEIGHTS };
            await dieAt(stores, 'commit:insert/bad_blocks', ({ stores: mortal, threads }) =>
              indexInto(mortal, { ...accepting, threads }),
            );
            await indexInto(stores, accepting);
            const kept = await heightDigests(stores);
            const rows = await badRows(stores);
            const found = rows.map(({ height }) => height);
            // one without txs and with its events has all that it should have
            const others = kept.flatMap((digest, i) => (digest === digests[i] ? [] : [i + 1]));
            expect(found).toEqual(expect.arrayContaining(others));
            expect(new Set(rows.map(({ reason }) => reason))).toEqual(
              new Set(['results_missing', 'results_unreadable']),
            );
            return found;
          }),
        );
        const [height = 0] = heights;
        await withNodes([bad()], async (_source, [url = '']) => {
          expect(await repair(height, url)).toMatchObject({
            exitCode: 1,
            stderr: expect.stringContaining('block_unusable'),
          });
        });
        await withNodes([{}], async (_source, [url = '']) => {
          expect(await repair(END + 1, url)).toMatchObject({ exitCode: 2 });
          // as a repair that was killed after its rewind leaves the store
          await withStore(folder.path, (stores) =>
            ask(stores, async (store) => {
              await writeFacts(store, new Map([['repair', JSON.stringify({ height, others: [] })]]));
              await rewindStore(store, height - 1);
            }),
          );
          const stdout = expect.stringContaining(`height ${height} is whole now; the store ends at height`);
          expect(await repair(height, url)).toMatchObject({ exitCode: 0, stdout });
          const nothing = expect.stringContaining('nothing is to be repaired');
          expect(await repair(height, url)).toMatchObject({ exitCode: 0, stdout: nothing });
        });
        await withStore(folder.path, async (stores) => {
          await indexInto(stores, RUN);
          expect(await digestLines(stores)).toEqual(await recordedDigest(END));
        });
      } finally {
        await folder.remove();
      }
    },
  );
});
