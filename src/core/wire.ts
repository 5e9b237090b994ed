/**
 * A protobuf wire reader, for the few messages that Strata reads by hand: the tx envelope, Ethereum messages, the
 * chain's answers about itself. The transcoders of src/decode/proto have a cursor of their own.
 */

/** The bytes are no message. */
export class WireError extends Error {}

/** Up to here a text is put together char by char: cheaper than a call into the engine. */
const SHORT_TEXT = 16;

export class WireReader {
  readonly bytes: Uint8Array;
  #at: number;
  readonly #end: number;
  /** Field number and wire type of the last next(). */
  field = 0;
  wireType = 0;

  constructor(bytes: Uint8Array, from = 0, to = bytes.length) {
    this.bytes = bytes;
    this.#at = from;
    this.#end = to;
  }

  /** Moves to the next field; false at the end. Errors: WireError on a broken tag. */
  next(): boolean {
    if (this.#at >= this.#end) return false;
    const tag = this.varint();
    this.field = Math.floor(tag / 8);
    this.wireType = tag % 8;
    if (this.field === 0) throw new WireError('field number 0');
    return true;
  }

  /** An unsigned varint up to 2^53; larger ones lose precision and are only good to be skipped. */
  varint(): number {
    let value = 0;
    let scale = 1;
    for (let i = 0; i < 10; i++) {
      if (this.#at >= this.#end) throw new WireError('truncated varint');
      const byte = this.bytes[this.#at++] as number;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
    throw new WireError('varint longer than ten bytes');
  }

  varintBig(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      if (this.#at >= this.#end) throw new WireError('truncated varint');
      const byte = this.bytes[this.#at++] as number;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new WireError('varint longer than ten bytes');
  }

  /** Where the length-delimited field read last stands in `bytes`. */
  start = 0;
  end = 0;

  /** Moves over a length-delimited field: start..end. */
  span(): void {
    if (this.wireType !== 2) throw new WireError(`field ${this.field} is not length-delimited`);
    const length = this.varint();
    this.start = this.#at;
    this.end = this.start + length;
    if (this.end > this.#end) throw new WireError('truncated field');
    this.#at = this.end;
  }

  /** The bytes of a length-delimited field. */
  delimited(): Uint8Array {
    this.span();
    return this.bytes.subarray(this.start, this.end);
  }

  /** A reader over a length-delimited field. */
  message(): WireReader {
    this.span();
    return new WireReader(this.bytes, this.start, this.end);
  }

  latin1(): string {
    this.span();
    const { bytes, start, end } = this;
    if (end - start > SHORT_TEXT) {
      return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
    }
    let text = '';
    for (let i = start; i < end; i++) text += String.fromCharCode(bytes[i] as number);
    return text;
  }

  skip(): void {
    if (this.wireType === 0) this.varintBig();
    else if (this.wireType === 1) this.#advance(8);
    else if (this.wireType === 2) this.span();
    else if (this.wireType === 5) this.#advance(4);
    else throw new WireError(`wire type ${this.wireType}`);
  }

  #advance(count: number): void {
    this.#at += count;
    if (this.#at > this.#end) throw new WireError('truncated field');
  }
}
