import { createLogger } from 'strata-kit/cli/logging';
import { type Clock, systemClock } from 'strata-kit/clock';
import { StrataError } from 'strata-kit/errors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startReplay } from '../../src/chain/replay/server.ts';
import { createRpcSource } from '../../src/chain/rpc/source.ts';
import type { BlockSource, RpcCaller } from '../../src/chain/source.ts';
import { openApi, type ServedApi } from '../../src/cli/serving.ts';
import { createHeadPace } from '../../src/pipeline/head-pace.ts';
import type { StoreFactory } from '../../src/store/store.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import {
  digestLines,
  type IndexRun,
  indexInto,
  recordedSource,
  withFreshStore,
} from '../support/indexing.ts';
import { recordedCapture } from '../support/recorded-capture.ts';
import { recordedDigest } from '../support/recorded-digests.ts';
import { changedSource } from '../support/sources.ts';
import { openTestStores } from '../support/stores.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Runs that go on for long: nodes that fail and come back, results that do not come, a chain that grows. */

let recorded: BlockSource;
beforeAll(async () => {
  recorded = await recordedSource();
  await recordedDigest();
});

function nodeDown(): StrataError {
  return new StrataError('node_unreachable', 'no node answered', {
    cause: new StrataError('node_unreachable', 'connection refused', { retryable: true }),
  });
}

/** So that pauses between attempts take no time. */
const hasty: Clock = {
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 5), signal),
};

/** One store, in which each run goes on where the one before has ended. */
describe('a run that follows the head', () => {
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

  const run = (options: IndexRun) => indexInto(stores, options);
  const expectUpTo = async (height: number) =>
    expect(await digestLines(stores)).toEqual(await recordedDigest(height));

  it('ends where the nodes are down before it has caught up', async () => {
    const source: BlockSource = { ...recorded, fetch: () => Promise.reject(nodeDown()) };
    await expect(run({ source, toHeight: 30 })).rejects.toMatchObject({ code: 'node_unreachable' });
    expect(await digestLines(stores)).toEqual([]);
  });

  it.each([
    ['head', 20, 30],
    ['fetch', 40, 50],
  ] as const)(
    'waits for nodes that are down (%s fails)',
    async (call, middle, end) => {
      let heads = 0;
      let failures = 0;
      const failing = (): void => {
        // two heads at the start, one for the first stretch, one that says that it was the last
        if (heads >= 4 && ++failures <= 2) throw nodeDown();
      };
      const source: BlockSource = {
        ...recorded,
        head: async () => {
          if (call === 'head') failing();
          return { ...(await recorded.head()), latestHeight: ++heads <= 4 ? middle : end };
        },
        fetch: async (from, to, signal) => {
          if (call === 'fetch') failing();
          return recorded.fetch(from, to, signal);
        },
        waitForHeightAbove: async () => undefined,
      };
      const warnings: string[] = [];
      const infos: string[] = [];
      await run({ source, toHeight: end, warnings, infos });
      await expectUpTo(end);
      expect(failures).toBeGreaterThan(2);
      expect(warnings).toEqual(['the nodes do not answer: waiting for them']);
      expect(infos).toContain('the nodes answer again');
    },
    60_000,
  );

  it("asks for the chain's height again while a long stretch is indexed", async () => {
    let heads = 0;
    const told: number[] = [];
    const source: BlockSource = {
      ...recorded,
      head: async () => ({ ...(await recorded.head()), latestHeight: 501 + heads++ }),
      fetch: async (from, to, signal) => {
        if (from > 60) await waitUntil(() => told.length > 1);
        return recorded.fetch(from, to, signal);
      },
    };
    const heights: number[] = [];
    await run({
      source,
      toHeight: 70,
      rangeBlocks: 10,
      onHead: (height) => told.push(height),
      onCommit: ({ chainHeight }) => heights.push(chainHeight),
    });
    expect(told.length).toBeGreaterThan(1);
    expect(heights.at(-1)).toBeGreaterThan(told[0] ?? 0);
    await expectUpTo(70);
  });

  it.each([
    [
      'its header is not what its hash covers',
      /heights 71 to 75 .* block 75 is not the one that its hash/,
      (line: string) =>
        line.replace(/"app_hash":"(.)/, (_all, digit) => `"app_hash":"${digit === '0' ? '1' : '0'}`),
    ],
    [
      'it is of another chain',
      /heights 71 to 75 .* block 75 is of chain other-1, not 9001/,
      (line: string) => line.replace('"chain_id":"9001"', '"chain_id":"other-1"'),
    ],
  ])(
    'ends at a node whose newest block is wrong: %s',
    async (_what, message, change) => {
      let hasCaughtUp = false;
      const source: BlockSource = {
        ...changedSource(recorded, { line: (height, line) => (height === 75 ? change(line) : line) }),
        head: async () => ({ ...(await recorded.head()), latestHeight: hasCaughtUp ? 75 : 70 }),
        waitForHeightAbove: async () => {
          hasCaughtUp = true;
        },
        reportBad: () => undefined,
      };
      const warnings: string[] = [];
      await expect(run({ source, warnings, clock: hasty })).rejects.toMatchObject({
        code: 'block_refused',
        message: expect.stringMatching(message),
        retryable: false,
      });
      expect(warnings).toEqual([]);
      await expectUpTo(70);
    },
    60_000,
  );

  it('and is stopped says that its last commit has failed', async () => {
    const stop = new AbortController();
    const failing: StoreFactory = {
      ...stores,
      open: async (session) => ({
        ...(await stores.open(session)),
        insertNativeFiles: async (table, columns, paths) => {
          if (stop.signal.aborted) throw new StrataError('store_query_failed', 'no space left');
          const store = await stores.open('inserts');
          await store.insertNativeFiles(table, columns, paths);
          await store.close();
        },
      }),
    };
    const source: BlockSource = {
      ...recorded,
      fetch: async (from, to, signal) => {
        if (from <= 80) return recorded.fetch(from, to, signal);
        // what came before is in the writer's hands
        await systemClock.sleep(300);
        stop.abort();
        throw new StrataError('aborted', 'stopped');
      },
    };
    const stopped = indexInto(failing, { source, signal: stop.signal, rangeBlocks: 5, commitMs: 60_000 });
    await expect(stopped).rejects.toMatchObject({ code: 'store_query_failed', message: 'no space left' });
    await expectUpTo(70);
  });

  describe('and whose node says that it does not have results', () => {
    const notReady = (height: number): StrataError =>
      new StrataError('results_not_ready', `no results for ${height}`, { retryable: true, height });
    const without = (missing: number): { readonly source: BlockSource; asked(): number } => {
      let asked = 0;
      const source: BlockSource = {
        ...changedSource(recorded, { latestHeight: 100 }),
        fetch: async (from, to, signal) => {
          if (from > missing || to < missing) return recorded.fetch(from, to, signal);
          asked++;
          // each look of a real source takes seconds
          await systemClock.sleep(500, signal);
          throw notReady(missing);
        },
      };
      return { source, asked: () => asked };
    };

    it('does not wait for them far below the head', async () => {
      const { source, asked } = without(75);
      await expect(run({ source, toHeight: 100 })).rejects.toMatchObject({ code: 'results_not_ready' });
      expect(asked()).toBe(1);
    });

    it('names the lowest height that has them, where the node can be asked', async () => {
      const { source } = without(75);
      const node: BlockSource & RpcCaller = {
        ...source,
        call: async (method, { height }) => {
          if (method === 'block_results' && Number(height) < 90) throw notReady(Number(height));
          return '{}';
        },
      };
      await expect(run({ source: node, toHeight: 100 })).rejects.toMatchObject({
        code: 'height_pruned',
        message: expect.stringMatching(/block 75 and not its results .* lowest height with results is 90$/),
        lowestHeight: 90,
      });
    });

    it('waits for them at the head, aloud, for a quarter of a minute', async () => {
      const { source } = without(100);
      const warnings: string[] = [];
      const startedMs = Date.now();
      await expect(run({ source, toHeight: 100, warnings })).rejects.toMatchObject({
        code: 'results_not_ready',
      });
      expect(Date.now() - startedMs).toBeGreaterThan(14_000);
      expect(new Set(warnings)).toEqual(new Set(['waiting for a block at the head']));
      expect(warnings.length).toBeGreaterThanOrEqual(3);
      // one in three seconds: it does not wait longer
      expect(warnings.length).toBeLessThanOrEqual(5);
    });
  });
});

describe('blocks at the head that nobody reads', () => {
  it('wait for each other until somebody asks', () =>
    withFreshStore(async (stores) => {
      const commits: number[] = [];
      let servedApi: ServedApi | undefined;
      let latestHeight = 20;
      // ten times the time, so that a slow machine is in time for all of it
      const pace = createHeadPace({
        ...systemClock,
        sleep: (ms, signal) => systemClock.sleep(10 * ms, signal),
      });
      const running = indexInto(stores, {
        source: {
          ...recorded,
          head: async () => ({ ...(await recorded.head()), latestHeight }),
          // the next block comes when the one before is shown
          waitForHeightAbove: async () => {
            await waitUntil(() => commits.at(-1) === latestHeight);
            latestHeight++;
          },
        },
        pace,
        toHeight: 80,
        onCommit: (commit) => {
          commits.push(commit.height);
          servedApi?.notify(commit);
        },
      });
      await waitUntil(() => commits.length > 0);
      const log = createLogger({ format: 'json', level: 'silent', write: () => {} });
      servedApi = await openApi(stores, log, { pace });
      latestHeight = 70;
      await systemClock.sleep(1_000);
      expect(commits).toEqual([20]);

      const shownHeight = async (): Promise<number> => {
        const answer = await servedApi?.api.handle('GET', '/v1/status');
        const status = JSON.parse(Buffer.from(answer?.body ?? []).toString()) as { indexed_height: number };
        return status.indexed_height;
      };
      await expect.poll(shownHeight, { timeout: 30_000 }).toBe(80);
      await running;
      expect(commits).toEqual([20, ...Array.from({ length: 11 }, (_, at) => 70 + at)]);
      expect(await digestLines(stores)).toEqual(await recordedDigest(80));
      await servedApi.close();
    }));

  it('are looked for at once four seconds after a reader, and ten seconds later', async () => {
    const clock = createFakeClock();
    const pace = createHeadPace(clock);
    const { signal } = new AbortController();
    const ended: (readonly [height: number, hasPaused: boolean])[] = [];
    const pause = (height: number) =>
      pace.pause(height, signal).then((hasPaused) => ended.push([height, hasPaused]));

    void pause(7);
    await clock.advance(9_999);
    expect(ended).toEqual([]);
    await clock.advance(1);
    expect(ended).toEqual([[7, true]]);

    void pause(8);
    const turn = pace.noteReader();
    await new Promise(setImmediate);
    expect(ended).toEqual([
      [7, true],
      [8, true],
    ]);
    expect(pace.noteReader()).toBe(turn);
    await pause(9);
    expect(await turn).toBe(9);
    expect(ended.at(-1)).toEqual([9, false]);
    expect(pace.noteReader()).toBeUndefined();

    await clock.advance(4_000);
    void pause(10);
    const late = pace.noteReader();
    await clock.advance(1_000);
    expect(await late).toBe(0);
    expect(pace.noteReader()).toBeUndefined();
  });
});

async function waitUntil(isTrue: () => boolean): Promise<void> {
  await expect.poll(isTrue).toBe(true);
}

describe('results of the newest block that the next one disproves', () => {
  const WRONG = 61;
  const disproved = {
    code: 'parent_mismatch',
    message: expect.stringContaining(`results of block ${WRONG}`),
  };

  it(
    'stop the run and each one after it, also where a commit was cut short',
    () =>
      withFreshStore(async (stores) => {
        let hasCaughtUp = false;
        const source: BlockSource = {
          ...changedSource(recorded, {
            line: (height, line) => (height === WRONG ? line.replaceAll(/("gas_used":")\d/g, '$19') : line),
          }),
          head: async () => ({ ...(await recorded.head()), latestHeight: hasCaughtUp ? WRONG + 2 : WRONG }),
          waitForHeightAbove: async () => {
            hasCaughtUp = true;
          },
        };
        await expect(indexInto(stores, { source })).rejects.toMatchObject(disproved);
        await expect(indexInto(stores)).rejects.toMatchObject(disproved);
        expect((await digestLines(stores))[0]).toMatch(`1 ${WRONG} `);

        // what cannot be checked is not
        await indexInto(stores, { toHeight: 80, verify: 'never' });
        await indexInto(stores, { toHeight: 90 });
      }),
    60_000,
  );
});

describe('a chain whose first height is not 1', () => {
  const start = async (stores: StoreFactory, source: BlockSource): Promise<readonly number[]> => {
    const commits = await indexInto(stores, { source, toHeight: 30 });
    return commits.map(({ firstHeight }) => firstHeight);
  };

  it('is begun at the initial height of its genesis', async () => {
    const capture = await recordedCapture();
    const genesis = (height: number) =>
      JSON.stringify({ genesis: { chain_id: '9001', initial_height: `${height}`, app_state: {} } });
    const node = await startReplay({
      capture: {
        ...capture,
        meta: { ...capture.meta, texts: new Map([...capture.meta.texts, ['genesis', genesis(11)]]) },
      },
      host: '127.0.0.1',
      port: 0,
    });
    const rpc = createRpcSource({ urls: [node.url] });
    const source = (earliestHeight: number) => ({
      ...changedSource(rpc, { earliestHeight }),
      call: rpc.call,
    });
    try {
      await withFreshStore(async (stores) => {
        const refused = { code: 'height_pruned', height: 11 };
        await expect(start(stores, source(12))).rejects.toMatchObject(refused);
        expect(await start(stores, source(11))).toEqual([11]);
      });
    } finally {
      await rpc.close();
      await node.close();
    }
  });

  it('is begun at the lowest height of a capture', async () => {
    const source = changedSource(recorded, { earliestHeight: 7 });
    expect(await withFreshStore((stores) => start(stores, source))).toEqual([7]);
  });
});
