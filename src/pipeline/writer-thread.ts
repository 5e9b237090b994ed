import { MessageChannel, Worker } from 'node:worker_threads';
import { deferred } from '../core/deferred.ts';
import { fromErrorRecord, StrataError } from '../core/errors.ts';
import type { DecodedRange } from '../decode/range.ts';
import { exposeStore } from '../store/remote.ts';
import type { Store } from '../store/store.ts';
import type { CommitReport, FromWriter, StorePosition, ToWriter, WriterSetup } from './messages.ts';
import { workerEntry } from './worker-url.ts';

/** Main's side of the writer thread. */
export interface WriterThread {
  /** Where the store stood at the start, after repair. */
  readonly position: StorePosition | undefined;
  readonly repairedRows: number;
  /** Hands a range over; its column buffers are transferred and gone for the caller. */
  push(range: DecodedRange, chainHeight: number, flush: boolean): void;
  /** Rejects when a commit fails or the thread dies; never resolves. */
  readonly failed: Promise<never>;
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
): Promise<WriterThread> {
  const channel = new MessageChannel();
  exposeStore(store, channel.port1);
  const worker = new Worker(new URL(workerEntry('writer')), {
    workerData: { setup, storePort: channel.port2 },
    transferList: [channel.port2],
  });
  const opened = deferred<Extract<FromWriter, { kind: 'opened' }>>();
  const finished = deferred<void>();
  const failed = deferred<never>();
  const fail = (error: unknown): void => {
    opened.reject(error);
    finished.reject(error);
    failed.reject(error);
  };
  // each of the three is awaited somewhere or its rejection means nothing more
  for (const promise of [opened.promise, finished.promise, failed.promise]) promise.catch(() => undefined);

  worker.on('message', (message: FromWriter) => {
    if (message.kind === 'opened') opened.resolve(message);
    else if (message.kind === 'committed') onCommit(message.commit);
    else if (message.kind === 'finished') finished.resolve();
    else fail(fromErrorRecord(message.error));
  });
  worker.on('error', fail);
  worker.on('exit', (code) => fail(new StrataError('internal', `the writer thread ended with code ${code}`)));

  const end = async (): Promise<void> => {
    await worker.terminate();
    channel.port1.close();
  };
  try {
    const { position, repairedRows } = await opened.promise;
    return {
      position,
      repairedRows,
      push(range, chainHeight, flush) {
        const message: ToWriter = { kind: 'range', range, chainHeight, flush };
        worker.postMessage(
          message,
          range.tables.map((table) => table.native.buffer as ArrayBuffer),
        );
      },
      failed: failed.promise,
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
