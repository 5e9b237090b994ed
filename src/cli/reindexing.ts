import { StrataError } from 'strata-kit/errors';
import type { StepWatch } from '../core/steps.ts';
import { WRITER_SESSIONS } from '../pipeline/insert-files.ts';
import type { RederiveReport } from '../pipeline/rederive.ts';
import type { Threads } from '../pipeline/threads.ts';
import type { RederivingWatch } from '../pipeline/writer.ts';
import { startWriterThread } from '../pipeline/writer-thread.ts';
import { readFacts } from '../store/facts.ts';
import { checkReadable } from '../store/migrations.ts';
import { openSessionPool } from '../store/session-pool.ts';
import type { StoreFactory } from '../store/store.ts';

/** A re-derivation in a process that does not index. */
export interface Reindexing {
  /** Undefined: all. */
  readonly module: string | undefined;
  /** Where the store does not tell the chain's. */
  readonly namespace: string;
  readonly modulePaths: readonly string[];
  readonly forceModules: boolean;
  readonly steps?: StepWatch | undefined;
  /** Worker threads by default. */
  readonly threads?: Threads;
  /** Nobody answers from this store meanwhile, so that what is replaced may go at once. */
  readonly isAlone: boolean;
  readonly watch?: RederivingWatch;
  readonly signal: AbortSignal;
}

/** Nothing is committed here. */
const NO_COMMITS = { commitBlocks: 1, commitBytes: 1, commitMs: 1 };

/**
 * Opens the store as an indexing process does (migrations, repair), derives modules again from what it holds, and goes.
 * Errors: those of Writer.open and of Writer.rederive; aborted.
 */
export async function reindexStores(stores: StoreFactory, options: Reindexing): Promise<RederiveReport> {
  const store = await openSessionPool(stores, 'reindex', WRITER_SESSIONS);
  try {
    await checkReadable(store, stores.name);
    const namespace = (await readFacts(store)).get('namespace') ?? options.namespace;
    const setup = {
      spoolFolder: stores.spoolFolder,
      limits: NO_COMMITS,
      derive: { namespace, isForced: options.forceModules, modulePaths: options.modulePaths },
      ...(options.isAlone ? { dropAfterMs: 0 } : {}),
      ...(options.steps === undefined ? {} : { steps: options.steps }),
    };
    const writer = await startWriterThread(store, setup, refuseCommit, options.watch, options.threads);
    const stop = (): void => writer.stopRederiving();
    options.signal.addEventListener('abort', stop, { once: true });
    try {
      if (options.signal.aborted) throw new StrataError('aborted', 'stopped');
      const { rederived } = writer.opened;
      // the store lacked it until now
      if (
        rederived !== undefined &&
        options.module !== undefined &&
        rederived.modules.includes(options.module)
      ) {
        return rederived;
      }
      return await writer.rederive(options.module);
    } finally {
      options.signal.removeEventListener('abort', stop);
      await writer.abandon();
    }
  } finally {
    await store.close();
  }
}

function refuseCommit(): void {
  throw new StrataError('internal', 'a re-derivation commits no blocks');
}
