import { workerData } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { toErrorRecord } from 'strata-kit/errors';
import { createDecoder } from '../src/decode/decoder.ts';
import type { DecodeContext } from '../src/decode/range.ts';
import type { DecodeReply } from '../src/pipeline/decode-pool.ts';
import { type DecodeTask, runDecodeTask } from '../src/pipeline/decode-task.ts';

/** A decode worker: bytes of a range in, columns out. decode.cts is how it is loaded. */

const decoder = createDecoder(workerData as DecodeContext);

export function decode(task: DecodeTask): ReturnType<typeof move> {
  const reply = decodeReply(task);
  const buffers = reply.ok ? reply.range.tables.map((table) => table.native.buffer as ArrayBuffer) : [];
  return move({ [transferableSymbol]: buffers, [valueSymbol]: reply } as never);
}

/** Errors leave as records: a thread boundary drops classes. */
function decodeReply(task: DecodeTask): DecodeReply {
  try {
    return { ok: true, range: runDecodeTask(decoder, task) };
  } catch (error) {
    return { ok: false, error: toErrorRecord(error) };
  }
}
