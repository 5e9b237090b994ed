import { MessageChannel, Worker } from 'node:worker_threads';
import { type Deferred, deferred } from '../core/deferred.ts';
import { fromErrorRecord, StrataError } from '../core/errors.ts';
import { workerEntry } from '../core/worker-url.ts';
import type { DecodedRange } from '../decode/range.ts';
import { exposeStore } from '../store/remote.ts';
import type { Store } from '../store/store.ts';
import type { ModulesState } from './derive-stage.ts';
import { createFailureWatch } from './failure-watch.ts';
import type { CommitReport, FromWriter, OpenedStore, ToWriter, WriterSetup } from './messages.ts';
import type { RederiveReport } from './rederive.ts';

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
  onRederiving: (report: RederiveReport) => void = () => undefined,
): Promise<WriterThread> {
  const channel = new MessageChannel();
  exposeStore(store, channel.port1);
  const worker = new Worker(new URL(workerEntry('writer')), {
    workerData: { setup, storePort: channel.port2 },
    transferList: [channel.port2],
  });
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

  worker.on('message', (message: FromWriter) => {
    switch (message.kind) {
      case 'opened':
        modules = message.opened.modules;
        return opened.resolve(message.opened);
      case 'committed':
        return onCommit(message.commit);
      case 'modules':
        modules = message.modules;
        return;
      case 'rederiving':
        return onRederiving(message.report);
      case 'rederived':
        if ('error' in message.outcome) rederived?.reject(fromErrorRecord(message.outcome.error));
        else rederived?.resolve(message.outcome.report);
        return;
      case 'finished':
        return finished.resolve();
      case 'failed':
        fail(fromErrorRecord(message.error));
    }
  });
  worker.on('error', fail);
  worker.on('exit', (code) => fail(new StrataError('internal', `the writer thread ended with code ${code}`)));

  const end = async (): Promise<void> => {
    await worker.terminate();
    channel.port1.close();
  };
  try {
    return {
      opened: await opened.promise,
      push(range, chainHeight, flush) {
        const message: ToWriter = { kind: 'range', range, chainHeight, flush };
        worker.postMessage(
          message,
          range.tables.map((table) => table.native.buffer as ArrayBuffer),
        );
      },
      flush: () => worker.postMessage({ kind: 'flush' } satisfies ToWriter),
      orFailure: (promise) => failure.guard(promise),
      modules: () => modules,
      rederive(module) {
        if (rederived !== undefined) {
          return Promise.reject(new StrataError('store_busy', 'modules are being derived again already'));
        }
        const waiting = deferred<RederiveReport>();
        rederived = waiting;
        worker.postMessage({ kind: 'rederive', module } satisfies ToWriter);
        return failure.guard(waiting.promise).finally(() => {
          rederived = undefined;
        });
      },
      stopRederiving: () => worker.postMessage({ kind: 'stop-rederiving' } satisfies ToWriter),
      async finish() {
        worker.postMessage({ kind: 'finish' } satisfies ToWriter);
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
