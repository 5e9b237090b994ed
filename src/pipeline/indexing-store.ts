import { type BadBlockList, NO_BAD_BLOCKS, withHeights } from '../store/bad-blocks.ts';
import { openSessionPool } from '../store/session-pool.ts';
import type { Store } from '../store/store.ts';
import { type ByteBudget, createByteBudget } from './byte-budget.ts';
import type { IndexingHealth } from './health.ts';
import { badBlockLogger, logRederived, logRepair, rederivingLogger } from './indexing-log.ts';
import type { IndexingOptions } from './indexing-options.ts';
import { WRITER_SESSIONS } from './insert-files.ts';
import type { CommitReport, WriterSetup } from './messages.ts';
import { WORKER_THREADS } from './threads.ts';
import { startWriterThread, type WriterThread } from './writer-thread.ts';

/** A store that is open for writing: the writer's thread, and what its commits report. */
export interface IndexingStore {
  readonly writer: WriterThread;
  /** A session beside the writer's: facts, descriptors, the chain's height. */
  readonly facts: Store;
  /** What a commit has stored is free again. */
  readonly budget: ByteBudget;
  /** Those in the store. */
  badBlocks(): BadBlockList;
  /** The chain's height in the newest checkpoint of this run, and when it was written; zeros before. */
  committed(): { readonly height: number; readonly atMs: number };
  /** Closes the sessions. The writer's thread has to be gone: WriterThread.finish or abandon. */
  close(): Promise<void>;
}

/** Migrates and repairs the store. Errors: those of Writer.open and of StoreFactory.open. */
export async function openIndexingStore(
  options: IndexingOptions,
  health: IndexingHealth,
): Promise<IndexingStore> {
  const { stores, log, clock, threads = WORKER_THREADS } = options;
  const session = await openSessionPool(stores, 'writer', WRITER_SESSIONS);
  const budget = createByteBudget(options.memoryBytes);
  const logBadBlocks = badBlockLogger(log, clock);
  let committed = { height: 0, atMs: 0 };
  let badBlocks = NO_BAD_BLOCKS;
  const onCommit = (commit: CommitReport): void => {
    budget.release(commit.rawBytes);
    committed = { height: commit.chainHeight, atMs: clock.nowMs() };
    badBlocks = withHeights(badBlocks, commit.badBlocks);
    logBadBlocks(commit.badBlocks);
    health.noteIndexed(commit.height, commit.blockTimeNs);
    options.onCommit(commit);
  };
  const rederiving = { onProgress: rederivingLogger(log, clock), onSwitched: () => options.onSwitched?.() };
  let writer: WriterThread | undefined;
  let facts: Store;
  try {
    writer = await startWriterThread(session, setupOf(options), onCommit, rederiving, threads);
    facts = await stores.open('facts');
  } catch (error) {
    await writer?.abandon();
    await session.close();
    throw error;
  }
  logRepair(writer.opened, log);
  ({ badBlocks } = writer.opened);
  if (writer.opened.rederived !== undefined) logRederived(writer.opened.rederived, log);
  const { position } = writer.opened;
  if (position !== undefined) health.noteIndexed(position.height, position.blockTimeNs);
  return {
    writer,
    facts,
    budget,
    badBlocks: () => badBlocks,
    committed: () => committed,
    async close() {
      await session.close();
      await facts.close();
    },
  };
}

function setupOf(options: IndexingOptions): WriterSetup {
  const { stores, parameters } = options;
  const derive = {
    namespace: parameters.namespace,
    stableDenom: parameters.stableDenom,
    evm: parameters.evm,
    serviceAccounts: parameters.serviceAccounts,
    faucet: parameters.faucet,
    ...(parameters.modules === undefined ? {} : { modules: parameters.modules }),
    isForced: options.forceModules === true,
    modulePaths: options.modulePaths ?? [],
  };
  return {
    spoolFolder: stores.spoolFolder,
    limits: options.commit,
    isDurable: options.isDurable === true,
    isAlone: stores.isExclusive,
    ...(options.hasModules === false ? {} : { derive }),
    ...(options.steps === undefined ? {} : { steps: options.steps }),
  };
}
