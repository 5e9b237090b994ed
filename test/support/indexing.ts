import { type Clock, systemClock } from 'strata-kit/clock';
import type { HeightRanges } from 'strata-kit/height-ranges';
import { type ChainParameters, ETHEREUM_TYPE_URLS } from 'strata-kit/parameters';
import { createCaptureSource } from '../../src/chain/capture/source.ts';
import type { BlockSource } from '../../src/chain/source.ts';
import type { VerifyMode } from '../../src/core/verify-mode.ts';
import type { HeadPace } from '../../src/pipeline/head-pace.ts';
import type { IndexingHealth } from '../../src/pipeline/health.ts';
import { type Indexing, openIndexing } from '../../src/pipeline/indexing.ts';
import type { CommitReport } from '../../src/pipeline/messages.ts';
import { type Threads, WORKER_THREADS } from '../../src/pipeline/threads.ts';
import { readCheckpoint } from '../../src/store/checkpoints.ts';
import { rangeDigests } from '../../src/store/digests.ts';
import { countRows, HEIGHT_TABLES } from '../../src/store/repair.ts';
import type { StoreFactory } from '../../src/store/store.ts';
import { IN_PROCESS } from './in-process.ts';
import { TEST_MODULE_PATHS } from './module-paths.ts';
import { recordedCapture } from './recorded-capture.ts';
import { openTestStores, type TestStoreOptions } from './stores.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface IndexRun {
  readonly source?: BlockSource;
  readonly workers?: number;
  readonly rangeBlocks?: number;
  readonly commitBlocks?: number;
  readonly commitMs?: number;
  readonly memoryBytes?: number;
  readonly fromHeight?: number;
  readonly toHeight?: number;
  readonly chainId?: string;
  /** In the test's own thread by default; in worker threads where STRATA_TEST_PROCESSES=own. */
  readonly threads?: Threads;
  /** What is configured of the chain. */
  readonly parameters?: Partial<ChainParameters>;
  /** Of modules that lie outside of Strata; those of TEST_MODULE_PATHS by default. */
  readonly modulePaths?: readonly string[];
  readonly givenDescriptors?: readonly Uint8Array[];
  readonly signal?: AbortSignal;
  readonly verify?: VerifyMode;
  readonly acceptBadBlocks?: HeightRanges;
  readonly forceModules?: boolean;
  /** False: no module derives. */
  readonly hasModules?: boolean;
  readonly nodeWaitMs?: number;
  readonly keepRaw?: string;
  readonly pace?: HeadPace;
  readonly clock?: Clock;
  readonly health?: IndexingHealth;
  readonly onCommit?: (commit: CommitReport) => void;
  readonly onHead?: (chainHeight: number) => void;
  /** Before it runs; waited for. */
  readonly onOpen?: (indexing: Indexing) => unknown;
  /** Takes what is logged as a warning. */
  readonly warnings?: string[];
  readonly infos?: string[];
}

const DEFAULT_THREADS = process.env.STRATA_TEST_PROCESSES === 'own' ? WORKER_THREADS : IN_PROCESS;

/** What is configured where a run says nothing. */
export const NO_PARAMETERS: ChainParameters = {
  namespace: 'aeva',
  hrp: undefined,
  gasDenom: undefined,
  stableDenom: undefined,
  evm: { factory: undefined, stable: undefined, wrappedNative: undefined, lendingMarket: undefined },
  serviceAccounts: [],
  faucet: undefined,
  moduleAccounts: [],
  ethereumTypeUrls: ETHEREUM_TYPE_URLS,
};

export async function recordedSource(): Promise<BlockSource> {
  return createCaptureSource(await recordedCapture());
}

/** Indexes the recorded chain, or another source, into a store until toHeight (the recording's end by default). */
export async function indexInto(stores: StoreFactory, run: IndexRun = {}): Promise<readonly CommitReport[]> {
  const commits: CommitReport[] = [];
  const source = run.source ?? (await recordedSource());
  const indexing = await openIndexing({
    source,
    stores,
    chainId: run.chainId,
    fromHeight: run.fromHeight,
    toHeight: run.toHeight ?? 501,
    workers: run.workers ?? 1,
    rangeBlocks: run.rangeBlocks ?? 50,
    memoryBytes: run.memoryBytes ?? 64_000_000,
    commit: {
      commitBlocks: run.commitBlocks ?? 2_000,
      commitBytes: 64_000_000,
      commitMs: run.commitMs ?? 2_000,
    },
    ...(run.verify === undefined ? {} : { verify: run.verify }),
    ...(run.acceptBadBlocks === undefined ? {} : { acceptBadBlocks: run.acceptBadBlocks }),
    ...(run.nodeWaitMs === undefined ? {} : { nodeWaitMs: run.nodeWaitMs }),
    ...(run.keepRaw === undefined ? {} : { keepRaw: run.keepRaw }),
    ...(run.health === undefined ? {} : { health: run.health }),
    ...(run.hasModules === undefined ? {} : { hasModules: run.hasModules }),
    ...(run.forceModules === undefined ? {} : { forceModules: run.forceModules }),
    parameters: { ...NO_PARAMETERS, ...run.parameters },
    modulePaths: run.modulePaths ?? TEST_MODULE_PATHS,
    givenDescriptors: run.givenDescriptors ?? [],
    threads: run.threads ?? DEFAULT_THREADS,
    pace: run.pace,
    clock: run.clock ?? systemClock,
    log: {
      info: (_facts, text) => run.infos?.push(text),
      warn: (_facts, text) => run.warnings?.push(text),
    },
    signal: run.signal ?? new AbortController().signal,
    onHead: (chainHeight) => run.onHead?.(chainHeight),
    onCommit: (commit) => {
      commits.push(commit);
      run.onCommit?.(commit);
    },
  });
  try {
    await run.onOpen?.(indexing);
    await indexing.run();
  } finally {
    await indexing.close();
    if (run.source === undefined) await source.close();
  }
  return commits;
}

/** The lines of `strata digest`. */
export async function digestLines(stores: StoreFactory): Promise<string[]> {
  const store = await stores.open('digest');
  const lines: string[] = [];
  for await (const { fromHeight, toHeight, sha256 } of rangeDigests(store)) {
    lines.push(`${fromHeight} ${toHeight} ${sha256}`);
  }
  await store.close();
  return lines;
}

/** Rows of every table of the base layer, and of those that the checkpoint counts, as they are, and as the newest checkpoint counts them. */
export async function rowCounts(stores: StoreFactory): Promise<{
  readonly tables: Readonly<Record<string, number>>;
  readonly checkpoint: Readonly<Record<string, number>>;
}> {
  const store = await stores.open('counts');
  const checkpoint = await readCheckpoint(store);
  const counted = new Set([...HEIGHT_TABLES, ...(checkpoint?.rows.keys() ?? [])]);
  const tables = await countRows(store, [...counted]);
  await store.close();
  return { tables: Object.fromEntries(tables), checkpoint: Object.fromEntries(checkpoint?.rows ?? []) };
}

/** Uses a store in a folder of its own. A process has one open at a time. */
export async function withFreshStore<T>(
  use: (stores: StoreFactory, folder: string) => Promise<T>,
  options?: TestStoreOptions,
): Promise<T> {
  const folder = await temporaryFolder();
  try {
    return await withStore(folder.path, (stores) => use(stores, folder.path), options);
  } finally {
    await folder.remove();
  }
}

/** Uses the store in a folder. */
export async function withStore<T>(
  folder: string,
  use: (stores: StoreFactory) => Promise<T>,
  options?: TestStoreOptions,
): Promise<T> {
  const stores = await openTestStores(folder, options);
  try {
    return await use(stores);
  } finally {
    await stores.close();
  }
}

/** The digest lines of a fresh store after one run, or several one after the other. */
export function digestOf(...runs: readonly IndexRun[]): Promise<string[]> {
  return withFreshStore(async (stores) => {
    for (const run of runs) await indexInto(stores, run);
    return digestLines(stores);
  });
}
