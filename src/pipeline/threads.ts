import { type MessagePort, Worker } from 'node:worker_threads';
import { StrataError } from 'strata-kit/errors';
import { workerEntry } from '../core/worker-url.ts';
import type { DecodeContext } from '../decode/range.ts';
import { createDecodePool, type DecodePool } from './decode-pool.ts';
import type { FromWriter, ToWriter, WriterSetup } from './messages.ts';

/** What runs beside the main thread: the decode workers and the writer. */
export interface Threads {
  /** A pool of `workers` threads; every one compiles the context's descriptors once. */
  createDecodePool(context: DecodeContext, workers: number): DecodePool;
  /** Starts the writer over one end of a store's port (src/store/remote.ts). */
  startWriter(setup: WriterSetup, storePort: MessagePort, listener: WriterListener): RunningWriter;
}

export interface WriterListener {
  onMessage(message: FromWriter): void;
  /** The writer does not run any more. */
  onFailure(error: unknown): void;
}

export interface RunningWriter {
  /** The buffers are transferred and gone for the caller. */
  post(message: ToWriter, buffers?: readonly ArrayBuffer[]): void;
  /** Ends it at once, without a commit. */
  terminate(): Promise<void>;
}

export const WORKER_THREADS: Threads = { createDecodePool, startWriter };

function startWriter(setup: WriterSetup, storePort: MessagePort, listener: WriterListener): RunningWriter {
  const worker = new Worker(new URL(workerEntry('writer')), {
    workerData: { setup, storePort },
    transferList: [storePort],
  });
  worker.on('message', listener.onMessage);
  worker.on('error', listener.onFailure);
  worker.on('exit', (code) =>
    listener.onFailure(new StrataError('internal', `the writer thread ended with code ${code}`)),
  );
  return {
    post: (message, buffers = []) => worker.postMessage(message, buffers),
    terminate: async () => {
      await worker.terminate();
    },
  };
}
