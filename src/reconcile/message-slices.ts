import { LENGTH_DELIMITED, Wire } from '../decode/proto/wire.ts';
import { NotComparable } from '../modules/not-comparable.ts';

export interface SliceLimits {
  /** Top-level fields of the whole message. */
  readonly maxFields: number;
  /** Of one field. */
  readonly maxFieldBytes: number;
}

/** 64 kB are rendered and read in some milliseconds. */
const SLICE_BYTES = 65_536;
/** Records without values are printed with all of their fields: some bytes become a hundred times as many. */
const SLICE_FIELDS = 512;

/**
 * A message cut between its top-level fields: each slice is a message of the same type. So a large one can be read in
 * turns. Errors: proto_malformed; NotComparable beyond the limits.
 */
export function* messageSlices(bytes: Uint8Array, limits?: SliceLimits): Generator<Uint8Array> {
  const wire = new Wire(bytes);
  const end = bytes.length;
  let [start, fields, all] = [0, 0, 0];
  while (wire.pos < end) {
    const before = wire.pos;
    const tag = wire.readTag();
    if ((tag & 7) === LENGTH_DELIMITED) wire.pos = wire.readEnd(end);
    else wire.skip(tag, end);
    all++;
    fields++;
    if (limits !== undefined && all > limits.maxFields) {
      throw new NotComparable(`it has more than ${limits.maxFields} records`);
    }
    if (limits !== undefined && wire.pos - before > limits.maxFieldBytes) {
      throw new NotComparable(`a record has more than ${limits.maxFieldBytes} bytes`);
    }
    if (wire.pos - start < SLICE_BYTES && fields < SLICE_FIELDS) continue;
    yield bytes.subarray(start, wire.pos);
    start = wire.pos;
    fields = 0;
  }
  if (start < end || end === 0) yield bytes.subarray(start, end);
}
