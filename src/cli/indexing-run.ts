import type { CommandContext } from 'strata-kit/cli/context';
import { systemClock } from 'strata-kit/clock';
import type { SourceObserver } from '../chain/observer.ts';
import type { BlockSource } from '../chain/source.ts';
import type { ModulesState } from '../pipeline/derive-stage.ts';
import { readGivenDescriptors } from '../pipeline/given-descriptors.ts';
import { createHeadPace, type HeadPace } from '../pipeline/head-pace.ts';
import { createIndexingHealth, type IndexingHealth } from '../pipeline/health.ts';
import { type Indexing, openIndexing } from '../pipeline/indexing.ts';
import type { CommitReport } from '../pipeline/messages.ts';
import { createExportSchedule, createSchedule } from '../reconcile/schedule.ts';
import type { NodeChoice } from '../settings/source.ts';
import type { StoreFactory } from '../store/store.ts';
import type { Admin } from './admin.ts';
import type { IndexOptions } from './indexing-options.ts';
import { createProgress } from './progress.ts';
import { reindexStores } from './reindexing.ts';
import type { OpenedStores } from './stores.ts';
import { followVerification } from './verification.ts';

export interface IndexingHooks {
  /** What the run tells of itself; one for its log lines alone where none is given. */
  readonly health?: IndexingHealth;
  /** Nodes whose own numbers are compared with what is derived, while the chain is followed; none by default. */
  readonly verifyNodes?: NodeChoice | undefined;
  /** How often the head is looked at; for each new block where it is left out. */
  readonly pace?: HeadPace | undefined;
  /** Hears of heights, commits, the queue and comparisons. */
  readonly admin?: Admin | undefined;
  readonly onCommit?: (commit: CommitReport) => void;
  /** A comparison with the chain, or modules that were derived again, have changed rows that no commit reports. */
  readonly onChanged?: () => void;
  /** The store has reached the height that the chain had at the start, or --to. */
  readonly onCaughtUp?: (height: number) => void;
}

/** An indexing run with its progress on the terminal or in the log. */
export interface IndexingRun {
  readonly indexing: Indexing;
  /** Runs until --to or the signal. */
  run(): Promise<void>;
  /** Frees what a run that was never started holds; nothing to do after run(). */
  close(): Promise<void>;
}

export async function openIndexingRun(
  options: Omit<IndexOptions, 'source' | 'store' | 'admin' | 'readyLagBlocks' | 'keepRaw' | 'steps'> &
    Partial<Pick<IndexOptions, 'keepRaw' | 'steps'>>,
  source: BlockSource,
  stores: OpenedStores,
  context: CommandContext,
  hooks: IndexingHooks = {},
): Promise<IndexingRun> {
  const { log, line, signal, threads } = context;
  const { tuning } = options;
  let chainHeight = 0;
  let events = 0;
  let indexedHeight = 0;
  let startHeight = 0;
  let caughtUp = false;
  let caughtUpHeight = Number.POSITIVE_INFINITY;
  const target = (): number => Math.min(options.toHeight ?? chainHeight, chainHeight);
  const update = (): void => {
    progress.update({ height: indexedHeight, startHeight, targetHeight: target(), chainHeight, events });
    if (caughtUp || indexedHeight < caughtUpHeight) return;
    caughtUp = true;
    if (options.toHeight === undefined) for (const each of schedules) each.begin();
    hooks.onCaughtUp?.(indexedHeight);
  };

  const { verifyNodes } = hooks;
  const comparing =
    verifyNodes === undefined
      ? undefined
      : followVerification(stores, {
          rpcUrls: verifyNodes.urls,
          nodeAccess: verifyNodes.access,
          chainId: options.chainId,
          namespace: options.chain.namespace,
        });
  const schedules =
    comparing === undefined
      ? []
      : [
          createSchedule({
            everyMs: options.verifyEveryMs,
            run: comparing.run,
            clock: systemClock,
            log,
            onDone: (found) => {
              hooks.admin?.noteReconciliation(found);
              hooks.onChanged?.();
            },
          }),
          createExportSchedule({
            everyMs: options.verifyDeepEveryMs,
            run: comparing.runExport,
            clock: systemClock,
            log,
            onDone: (found) => {
              hooks.admin?.noteExport(found);
              hooks.onChanged?.();
            },
          }),
        ];
  const stopComparing = async (): Promise<void> => {
    await Promise.all(schedules.map((each) => each.close()));
    await comparing?.close();
  };

  let toldModules = false;
  /** Once, when it is known. */
  const tellModules = (): void => {
    if (toldModules || opened === undefined || opened.modules() === 'undecided') return;
    toldModules = true;
    const told = MODULES_TOLD[opened.modules()];
    if (told !== undefined) log.info({ modules: opened.modules() }, told);
  };
  let opened: Indexing | undefined;
  const indexing = await openIndexing({
    source,
    stores,
    chainId: options.chainId,
    fromHeight: options.fromHeight,
    toHeight: options.toHeight,
    workers: options.workers,
    rangeBlocks: tuning.rangeBlocks,
    memoryBytes: tuning.memoryBytes,
    isDurable: options.isDurable,
    forceModules: options.forceModules,
    commit: { commitBlocks: tuning.commitBlocks, commitBytes: tuning.commitBytes, commitMs: tuning.commitMs },
    parameters: options.chain,
    nodeWaitMs: options.nodeWaitMs,
    keepRaw: options.keepRaw,
    verify: options.verify,
    acceptBadBlocks: options.acceptBadBlocks,
    givenDescriptors: await readGivenDescriptors(options.descriptorPaths),
    modulePaths: options.modulePaths,
    ...(threads === undefined ? {} : { threads }),
    pace: hooks.pace,
    clock: systemClock,
    log,
    signal,
    steps: options.steps,
    ...(hooks.health === undefined ? {} : { health: hooks.health }),
    onCommit: (commit) => {
      indexedHeight = commit.height;
      events += commit.events;
      log.debug({ ...commit, blockTimeNs: String(commit.blockTimeNs) }, 'committed');
      hooks.admin?.noteCommit(commit);
      hooks.onCommit?.(commit);
      tellModules();
      update();
    },
    onSwitched: () => hooks.onChanged?.(),
    onHead: (height) => {
      chainHeight = Math.max(chainHeight, height);
      hooks.admin?.noteHead(height);
      update();
    },
  });
  opened = indexing;
  let isRunning = true;
  stores.offers.reindex = (module) =>
    isRunning
      ? indexing.rederive(module)
      : reindexStores(stores, {
          module,
          namespace: options.chain.namespace,
          modulePaths: options.modulePaths,
          forceModules: options.forceModules,
          isAlone: false,
          watch: { onSwitched: () => hooks.onChanged?.() },
          signal,
        });
  // rates count from here: opening the store is no indexing
  const progress = createProgress({ line, clock: systemClock, log });
  startHeight = indexing.startHeight - 1;
  indexedHeight = startHeight;
  chainHeight = indexing.chainHeight;
  caughtUpHeight = target();
  hooks.admin?.watchIndexing(indexing, options.toHeight);
  const details = { chainId: indexing.chainId, from: indexing.startHeight, chainHeight };
  log.info(
    { details: { ...details, source: source.name, store: stores.name } },
    `indexing chain ${indexing.chainId} from height ${indexing.startHeight} of ${chainHeight}: ${source.name} into ${stores.name}`,
  );
  tellModules();
  return {
    indexing,
    async run() {
      try {
        await indexing.run();
      } finally {
        isRunning = false;
        progress.stop();
        await stopComparing();
      }
    },
    async close() {
      progress.stop();
      await stopComparing();
      await indexing.close();
    },
  };
}

const MODULES_TOLD: Readonly<Partial<Record<ModulesState, string>>> = {
  off: "modules are off: the store does not begin with the chain's first block, so that what its events change is not known (--force-modules derives all the same)",
  forced:
    "modules are forced: the store does not begin with the chain's first block, and what they derive lacks what was before",
};

/** Undefined for a store that other processes may read: each new block is indexed at once. */
export function headPaceOf({ isExclusive }: Pick<StoreFactory, 'isExclusive'>): HeadPace | undefined {
  return isExclusive ? createHeadPace(systemClock) : undefined;
}

/** Whoever counts what nodes do: the run's health, and the admin listener where there is one. */
export function observeSource(health: IndexingHealth, admin: Admin | undefined): SourceObserver {
  return {
    onError: (node, code) => {
      health.noteError(code, node);
      admin?.source.onError(node, code);
    },
    ...(admin === undefined ? {} : { onRequest: admin.source.onRequest }),
  };
}

/** The health of a run, fed by its source's observer: for who shows it while the run goes on. */
export function createRunHealth(
  { tuning }: Pick<IndexOptions, 'tuning'>,
  { log }: CommandContext,
): IndexingHealth {
  return createIndexingHealth({ clock: systemClock, log, commitMs: tuning.commitMs });
}
