import { MessageChannel } from 'node:worker_threads';
import { fromErrorRecord, StrataError } from 'strata-kit/errors';
import { type Deferred, deferred } from '../core/deferred.ts';
import type { DecodedRange } from '../decode/range.ts';
import { exposeStore } from '../store/remote.ts';
import type { Store } from '../store/store.ts';
import type { ModulesState } from './derive-stage.ts';
import { createFailureWatch } from './failure-watch.ts';
import type { CommitReport, FromWriter, OpenedStore, WriterSetup } from './messages.ts';
import type { RederiveReport } from './rederive.ts';
import { type Threads, WORKER_THREADS } from './threads.ts';
import type { RederivingWatch } from './writer.ts';

/** Main's side of the writer thread. */
export interface WriterThread {
  /** The store at the start, after repair. */
  readonly opened: OpenedStore;
  /** Hands a range over; its column buffers are transferred and gone for the caller. */
  push(range: DecodedRange, chainHeight: number, flush: boolean): void;
  /** Asks for a commit of what was handed over, e.g. because its memory is needed. */
  flush(): void;
  /** Settles like the promise, or rejects when a commit fails or the thread dies. */
  orFailure<T>(promise: Promise<T>): Promise<T>;
  modules(): ModulesState;
  /** See Writer.rederive; its errors, and whatever ends the thread. */
  rederive(module: string | undefined): Promise<RederiveReport>;
  /** Ends a re-derivation that is under way, with the error aborted. */
  stopRederiving(): void;
  /** Commits what is left and ends the thread. */
  finish(): Promise<void>;
  /** Ends the thread without a commit; an insert in flight still runs to its end in the store. */
  abandon(): Promise<void>;
}

/** Starts the thread and waits until it has opened the store. Errors: those of Writer.open. */
export async function startWriterThread(
  store: Store,
  setup: WriterSetup,
  onCommit: (commit: CommitReport) => void,
  watch: RederivingWatch = {},
  threads: Threads = WORKER_THREADS,
): Promise<WriterThread> {
  const channel = new MessageChannel();
  exposeStore(store, channel.port1);
  const opened = deferred<OpenedStore>();
  const finished = deferred<void>();
  const failure = createFailureWatch();
  let modules: ModulesState = 'undecided';
  let rederived: Deferred<RederiveReport> | undefined;
  const fail = (error: unknown): void => {
    opened.reject(error);
    finished.reject(error);
    failure.fail(error);
  };
  // both are awaited somewhere, or the rejection means nothing more
  for (const promise of [opened.promise, finished.promise]) promise.catch(() => undefined);

  const onMessage = (message: FromWriter): void => {
    switch (message.kind) {
      case 'opened':
        modules = message.opened.modules;
        opened.resolve(message.opened);
        break;
      case 'committed':
        onCommit(message.commit);
        break;
      case 'modules':
        modules = message.modules;
        break;
      case 'rederiving':
        watch.onProgress?.(message.report);
        break;
      case 'switched':
        watch.onSwitched?.();
        break;
      case 'rederived':
        if ('error' in message.outcome) rederived?.reject(fromErrorRecord(message.outcome.error));
        else rederived?.resolve(message.outcome.report);
        break;
      case 'finished':
        finished.resolve();
        break;
      case 'failed':
        fail(fromErrorRecord(message.error));
    }
  };
  const running = threads.startWriter(setup, channel.port2, { onMessage, onFailure: fail });

  const end = async (): Promise<void> => {
    await running.terminate();
    channel.port1.close();
  };
  try {
    return {
      opened: await opened.promise,
      push(range, chainHeight, flush) {
        running.post(
          { kind: 'range', range, chainHeight, flush },
          range.tables.map((table) => table.native.buffer as ArrayBuffer),
        );
      },
      flush: () => running.post({ kind: 'flush' }),
      orFailure: (promise) => failure.guard(promise),
      modules: () => modules,
      rederive(module) {
        if (rederived !== undefined) {
          return Promise.reject(new StrataError('store_busy', 'modules are being derived again already'));
        }
        const waiting = deferred<RederiveReport>();
        rederived = waiting;
        running.post({ kind: 'rederive', module });
        return failure.guard(waiting.promise).finally(() => {
          rederived = undefined;
        });
      },
      stopRederiving: () => running.post({ kind: 'stop-rederiving' }),
      async finish() {
        running.post({ kind: 'finish' });
        try {
          await finished.promise;
        } finally {
          await end();
        }
      },
      abandon: end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}
