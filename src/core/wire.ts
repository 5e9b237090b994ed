/**
 * A protobuf wire reader, for the few messages that Strata reads by hand: the tx envelope, Ethereum messages, the
 * chain's answers about itself. The transcoders of src/decode/proto have a cursor of their own.
 */

/** The bytes are no message. */
export class WireError extends Error {}

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

  /** The bytes of a length-delimited field. */
  delimited(): Uint8Array {
    if (this.wireType !== 2) throw new WireError(`field ${this.field} is not length-delimited`);
    const length = this.varint();
    const from = this.#at;
    if (from + length > this.#end) throw new WireError('truncated field');
    this.#at = from + length;
    return this.bytes.subarray(from, this.#at);
  }

  latin1(): string {
    const bytes = this.delimited();
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  }

  skip(): void {
    if (this.wireType === 0) this.varintBig();
    else if (this.wireType === 1) this.#advance(8);
    else if (this.wireType === 2) this.delimited();
    else if (this.wireType === 5) this.#advance(4);
    else throw new WireError(`wire type ${this.wireType}`);
  }

  #advance(count: number): void {
    this.#at += count;
    if (this.#at > this.#end) throw new WireError('truncated field');
  }
}
