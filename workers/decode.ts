import { workerData } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { splitRange } from '../src/chain/envelope.ts';
import type { RawRange } from '../src/chain/source.ts';
import { toErrorRecord } from '../src/core/errors.ts';
import { createDecoder } from '../src/decode/decoder.ts';
import type { DecodeContext } from '../src/decode/range.ts';
import type { DecodeReply } from '../src/pipeline/decode-pool.ts';

/** A decode worker: bytes of a range in, columns out. decode.cts is how it is loaded. */

const decoder = createDecoder(workerData as DecodeContext);

export function decode(range: RawRange): ReturnType<typeof move> {
  const reply = decodeReply(range);
  const buffers = reply.ok ? reply.range.tables.map((table) => table.native.buffer as ArrayBuffer) : [];
  return move({ [transferableSymbol]: buffers, [valueSymbol]: reply } as never);
}

/** Errors leave as records: a thread boundary drops classes. */
function decodeReply(range: RawRange): DecodeReply {
  try {
    return { ok: true, range: decoder.decodeRange(splitRange(range), range.byteLength) };
  } catch (error) {
    return { ok: false, error: toErrorRecord(error) };
  }
}
