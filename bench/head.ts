import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from 'strata-kit/clock';
import { ETHEREUM_TYPE_URLS, REFERENCE_NAMESPACE } from 'strata-kit/parameters';
import { openChainState } from '../src/api/state.ts';
import { openCapture } from '../src/chain/capture/reader.ts';
import { createCaptureSource } from '../src/chain/capture/source.ts';
import { splitRange } from '../src/chain/envelope.ts';
import { RowReader } from '../src/core/rowbinary.ts';
import { createDecoder, type Decoder } from '../src/decode/decoder.ts';
import type { DecodedRange } from '../src/decode/range.ts';
import { WRITER_SESSIONS } from '../src/pipeline/insert-files.ts';
import { startWriterThread } from '../src/pipeline/writer-thread.ts';
import { openEmbedded } from '../src/store/embedded.ts';
import { packageRoot } from '../src/store/package-root.ts';
import { openSessionPool } from '../src/store/session-pool.ts';
import type { Store, StoreFactory } from '../src/store/store.ts';
import { startChild } from './support/child.ts';
import { makeCorpus } from './support/corpus.ts';
import { idleMsPerSecond } from './support/engine-cpu.ts';
import { benchFolder } from './support/folders.ts';
import { COMMIT_LIMITS } from './support/indexing.ts';
import { decodeRanges } from './support/ready-commits.ts';
import { referenceSection } from './support/reference-section.ts';
import { type Figure, quantile } from './support/report.ts';

/** Commits that are not measured: the first insert of each table, and the first merges. */
const FIRST_COMMITS = 20;
const SECOND_MS = 1_000;

export interface HeadSize {
  readonly commits: number;
  /** Of them, how many come one a second. */
  readonly pacedCommits: number;
  readonly idleSeconds: number;
  /** A corpus of 10 mixed txs a block that is there; made otherwise. */
  readonly corpus: string | undefined;
}

/**
 * Commits of one block each into an embedded store, with the writer's thread and the state that an API keeps, as `strata
 * start` has them. Fetching and decoding come before. The recording without modules, then a corpus with all of them.
 */
export async function benchHead(size: HeadSize): Promise<Figure[]> {
  const blocks = FIRST_COMMITS + size.pacedCommits + size.commits;
  const node = await startChild(new URL('./support/stretched-node.js', import.meta.url), [String(blocks)]);
  const recorded = await decodeRanges(node.ready, blocks, 1).finally(() => node.stop());
  const base = await follow('base', recorded, size, false);
  const folder = size.corpus ?? (await makeCorpus(blocks));
  const mixed = await follow('all modules', await decodeCorpus(folder, blocks), size, true);
  return [...base, ...mixed];
}

async function follow(
  what: string,
  ranges: readonly DecodedRange[],
  { pacedCommits, idleSeconds }: HeadSize,
  hasModules: boolean,
): Promise<Figure[]> {
  const counts = { writer: 0, state: 0 };
  const stores = await openEmbedded({ folder: benchFolder() });
  try {
    const store = await openCounted(stores, 'writer', counts);
    const setup = {
      spoolFolder: stores.spoolFolder,
      limits: COMMIT_LIMITS,
      isAlone: true,
      ...(hasModules ? { derive: moduleSetup() } : {}),
    };
    const took: number[] = [];
    let committed: (() => void) | undefined;
    const writer = await startWriterThread(store, setup, (commit) => {
      took.push(commit.durationMs);
      state.notify(commit);
      committed?.();
    });
    const state = await openChainState({
      store: await openCounted(stores, 'state', counts),
      clock: systemClock,
      reportError: (error) => console.error(error),
    });
    const commit = async (from: number, to: number, paceMs: number): Promise<void> => {
      for (let at = from; at < to; at++) {
        const startedMs = performance.now();
        const done = new Promise<void>((resolve) => {
          committed = resolve;
        });
        writer.push(ranges[at] ?? fail(`no block ${at}`), at + 1, true);
        await writer.orFailure(done);
        await sleep(Math.max(0, startedMs + paceMs - performance.now()));
      }
    };
    await commit(0, FIRST_COMMITS, 0);
    const paced = FIRST_COMMITS + pacedCommits;
    const pacedCpuMs = await cpuMsOf(() => commit(FIRST_COMMITS, paced, SECOND_MS));
    const before = { ...counts, parts: await newParts(store), took: took.length };
    const cpuMs = await cpuMsOf(() => commit(paced, ranges.length, 0));
    const n = ranges.length - paced;
    const after = { ...counts, parts: await newParts(store) };
    const measured = took.slice(before.took);
    const idleMs = await idleMsPerSecond(idleSeconds);
    await writer.finish();
    await state.close();
    const figure = (name: string, value: number, unit: string, aim?: string): Figure => ({
      name: `head, ${what}: ${name}`,
      value,
      unit,
      ...(aim === undefined ? {} : { aim }),
    });
    return [
      figure('CPU a block, 1 block/s', pacedCpuMs / pacedCommits, 'ms', hasModules ? '≤ 120' : '≤ 60'),
      figure('CPU a block, as fast as possible', cpuMs / n, 'ms'),
      figure('commit of one block, p50', quantile(measured, 0.5), 'ms', '≤ 30'),
      figure('commit of one block, p99', quantile(measured, 0.99), 'ms'),
      figure("writer's statements a commit", (after.writer - before.writer) / n, 'statements'),
      figure("API state's statements a commit", (after.state - before.state) / n, 'statements'),
      figure('new parts a commit, merged ones included', (after.parts - before.parts) / n, 'parts'),
      figure('no new block', idleMs / 10, '% of a core', '≤ 0.5'),
    ];
  } finally {
    await stores.close();
  }
}

/** A session whose statements are counted under its name. */
async function openCounted<K extends string>(
  stores: StoreFactory,
  session: K,
  counts: Record<K, number>,
): Promise<Store> {
  const store = await openSessionPool(stores, session, session === 'writer' ? WRITER_SESSIONS : 1);
  const count = (): void => {
    counts[session]++;
  };
  return {
    ...store,
    query: (sql, options) => {
      count();
      return store.query(sql, options);
    },
    command: (sql) => {
      count();
      return store.command(sql);
    },
    insertNativeFiles: (table, columns, paths) => {
      count();
      return store.insertNativeFiles(table, columns, paths);
    },
  };
}

/** Parts that the engine has made since its start. */
async function newParts(store: Store): Promise<number> {
  const sql = `SELECT toUInt64(sum(value)) FROM system.events
WHERE event IN ('InsertedWideParts', 'InsertedCompactParts', 'MergedIntoWideParts', 'MergedIntoCompactParts')`;
  return new RowReader(await store.query(sql)).u64();
}

async function cpuMsOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function moduleSetup() {
  return { isForced: false, modulePaths: [], ...referenceSection() };
}

async function decodeCorpus(folder: string, blocks: number): Promise<readonly DecodedRange[]> {
  const source = createCaptureSource(await openCapture(folder));
  const decoder = corpusDecoder();
  const ranges: DecodedRange[] = [];
  for (let height = 1; height <= blocks; height++) {
    const raw = await source.fetch(height, height);
    ranges.push(decoder.decodeRange(splitRange(raw), raw.byteLength));
  }
  await source.close();
  return ranges;
}

/** For the reference chain, whose blocks a corpus has. */
function corpusDecoder(): Decoder {
  return createDecoder({
    verify: false,
    hrp: 'aeva',
    namespace: REFERENCE_NAMESPACE,
    evmDenom: 'aaeva',
    moduleAccounts: [],
    ethereumTypeUrls: ETHEREUM_TYPE_URLS,
    descriptorSets: [{ appVersion: '0', bytes: readFileSync(join(packageRoot(), 'kit/descriptors.binpb')) }],
  });
}

function fail(message: string): never {
  throw new Error(message);
}
