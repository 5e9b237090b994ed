import { Piscina } from 'piscina';
import { type ErrorRecord, fromErrorRecord } from 'strata-kit/errors';
import type { RawRange } from '../chain/source.ts';
import { workerEntry } from '../core/worker-url.ts';
import type { DecodeContext, DecodedRange, SalvageWish } from '../decode/range.ts';
import type { DecodeTask } from './decode-task.ts';

export type DecodeReply =
  | { readonly ok: true; readonly range: DecodedRange }
  | { readonly ok: false; readonly error: ErrorRecord };

/** Decodes ranges in parallel, off the main thread. */
export interface DecodePool {
  /** The range's bytes are handed over and gone for the caller. Errors: those of runDecodeTask. */
  decode(range: RawRange, salvage?: SalvageWish): Promise<DecodedRange>;
  /** Drops what is waiting. */
  close(): Promise<void>;
  /** Ends the threads when what they were given is done. */
  retire(): Promise<void>;
}

export const NURSERY_MB = 64;

/** A pool of `workers` threads; every one compiles the context's descriptors when it meets the first message. */
export function createDecodePool(context: DecodeContext, workers: number): DecodePool {
  const piscina = new Piscina({
    filename: workerEntry('decode'),
    // loaded before the first range comes
    name: 'decode',
    minThreads: workers,
    maxThreads: workers,
    idleTimeout: Number.POSITIVE_INFINITY,
    workerData: context,
    // decoding makes much short-lived text: a larger nursery halves the scavenges
    resourceLimits: { maxYoungGenerationSizeMb: NURSERY_MB },
    // a worker is busy or not: handing it a second task early only hides that it waits
    concurrentTasksPerWorker: 1,
  });
  return {
    async decode(range, salvage) {
      const task: DecodeTask = salvage === undefined ? { range } : { range, salvage };
      const transferList = ownBuffers(range);
      const reply = (await piscina.run(task, { name: 'decode', transferList })) as DecodeReply;
      if (!reply.ok) throw fromErrorRecord(reply.error);
      return reply.range;
    },
    close() {
      // an answer on its way when the threads are ended belongs to no task any more: Piscina emits it as an error, which
      // would end the process with the engine running
      piscina.on('error', () => undefined);
      return piscina.destroy();
    },
    retire: () => piscina.close(),
  };
}

/** The memory of bodies that own theirs whole; a slice of a shared one is copied by the thread boundary. */
export function ownBuffers({ bodies }: RawRange): ArrayBuffer[] {
  return bodies.flatMap(({ bytes: { buffer, byteLength } }) =>
    buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [],
  );
}
