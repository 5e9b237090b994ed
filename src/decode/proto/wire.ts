import { asBuffer, bytesToLatin1 } from 'strata-kit/bytes';
import { StrataError } from 'strata-kit/errors';

export const VARINT = 0;
export const FIXED64 = 1;
export const LENGTH_DELIMITED = 2;
const START_GROUP = 3;
const END_GROUP = 4;
export const FIXED32 = 5;

/** Deeper messages count as malformed, so that the outcome never depends on a thread's stack size. */
const MAX_DEPTH = 100;

const MAX_MERGES = 16;

const NO_LISTENER = (): void => {};

/** What every reader here throws when bytes are not what their descriptor says. */
export function malformed(what: string): StrataError {
  return new StrataError('proto_malformed', `malformed protobuf: ${what}`);
}

/**
 * A cursor over protobuf bytes. Nested messages are read in place with the same cursor: each reader gets
 * the `end` that it must not pass. Everything throws proto_malformed.
 */
export class Wire {
  readonly bytes: Buffer;
  /** Told the URL of each Any whose type no descriptor names. */
  readonly onUnknownType: (typeUrl: string) => void;
  pos = 0;
  depth = 0;
  /** The low and high 32 bits of the last varint or fixed64, as signed integers. */
  lo = 0;
  hi = 0;
  private work = { merges: 0 };
  private latin1: string | undefined;

  constructor(bytes: Uint8Array, onUnknownType: (typeUrl: string) => void = NO_LISTENER) {
    this.bytes = asBuffer(bytes);
    this.onUnknownType = onUnknownType;
  }

  /** Leaves the value in lo and hi. Past the buffer's end the bytes read as undefined, which ends in the throw. */
  readVarint(): void {
    const { bytes } = this;
    let byte = bytes[this.pos++] as number;
    if (byte < 128) {
      this.lo = byte;
      this.hi = 0;
      return;
    }
    let lo = byte & 127;
    let hi = 0;
    for (let shift = 7; shift < 70; shift += 7) {
      byte = bytes[this.pos++] as number;
      if (shift < 28) lo |= (byte & 127) << shift;
      else if (shift === 28) {
        lo |= (byte & 15) << 28;
        hi = (byte & 127) >> 4;
      } else hi |= (byte & 127) << (shift - 32);
      if (byte < 128) {
        this.lo = lo;
        this.hi = hi;
        return;
      }
    }
    throw malformed('varint without an end');
  }

  /** Field number times 8 plus wire type. */
  readTag(): number {
    const byte = this.bytes[this.pos] as number;
    if (byte < 128 && byte > 7) {
      this.pos++;
      return byte;
    }
    this.readVarint();
    const tag = this.lo >>> 0;
    if (this.hi !== 0 || tag < 8) throw malformed('field number');
    return tag;
  }

  /** Reads a length and returns the position where the value ends. */
  readEnd(end: number): number {
    this.readVarint();
    const valueEnd = this.pos + (this.lo >>> 0);
    if (this.hi !== 0 || valueEnd > end) throw malformed('length beyond its message');
    return valueEnd;
  }

  readFixed32(): void {
    if (this.pos + 4 > this.bytes.length) throw malformed('truncated fixed32');
    this.lo = this.bytes.readInt32LE(this.pos);
    this.pos += 4;
  }

  readFixed64(): void {
    if (this.pos + 8 > this.bytes.length) throw malformed('truncated fixed64');
    this.lo = this.bytes.readInt32LE(this.pos);
    this.hi = this.bytes.readInt32LE(this.pos + 4);
    this.pos += 8;
  }

  /** Steps over the value of a field whose tag was just read. */
  skip(tag: number, end: number): void {
    switch (tag & 7) {
      case VARINT:
        this.readVarint();
        break;
      case FIXED64:
        this.pos += 8;
        break;
      case LENGTH_DELIMITED:
        this.pos = this.readEnd(end);
        break;
      case START_GROUP:
        this.skipGroup(tag, end);
        break;
      case FIXED32:
        this.pos += 4;
        break;
      default:
        throw malformed('wire type');
    }
    if (this.pos > end) throw malformed('field beyond its message');
  }

  private skipGroup(startTag: number, end: number): void {
    this.enter();
    while (this.pos < end) {
      const tag = this.readTag();
      if ((tag & 7) === END_GROUP) {
        if (tag >>> 3 !== startTag >>> 3) throw malformed('end of another group');
        this.depth--;
        return;
      }
      this.skip(tag, end);
    }
    throw malformed('group without an end');
  }

  /**
   * A cursor over the parts of a message that came in pieces. Pieces within pieces would double the work at
   * each level, so that more than a few of them count as malformed.
   */
  forMerged(bytes: Uint8Array): Wire {
    const wire = new Wire(bytes, this.onUnknownType);
    wire.depth = this.depth;
    wire.work = this.work;
    if (++wire.work.merges > MAX_MERGES) throw malformed('too many messages in pieces');
    return wire;
  }

  enter(): void {
    if (++this.depth > MAX_DEPTH) throw malformed('nested too deep');
  }

  /** The bytes start..end as latin1 text. */
  text(start: number, end: number): string {
    this.latin1 ??= bytesToLatin1(this.bytes);
    return this.latin1.substring(start, end);
  }
}

/** Where each occurrence of a length-delimited field lies between start and end; the cursor ends at `end`. */
export function occurrences(wire: Wire, start: number, end: number, fieldNumber: number): [number, number][] {
  const found: [number, number][] = [];
  wire.pos = start;
  while (wire.pos < end) {
    const tag = wire.readTag();
    if (tag === fieldNumber * 8 + LENGTH_DELIMITED) {
      const valueEnd = wire.readEnd(end);
      found.push([wire.pos, valueEnd]);
      wire.pos = valueEnd;
    } else wire.skip(tag, end);
  }
  return found;
}
