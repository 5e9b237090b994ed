import { asBuffer } from 'strata-kit/bytes';
import { StrataError } from 'strata-kit/errors';

const MAX_SAFE_HIGH_WORD = 0x1f_ffff;

/**
 * A cursor over rows in ClickHouse's RowBinary format. The caller knows the columns' types and calls one method a
 * value, row by row, until `done`. `bytes` and `fixed` return views of the input, not copies.
 *
 * Errors: store_query_failed when the bytes end inside a value, or a value does not fit what is asked for.
 */
export class RowReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = asBuffer(bytes);
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  u8(): number {
    return this.#bytes[this.#skip(1)] as number;
  }

  i8(): number {
    return this.#bytes.readInt8(this.#skip(1));
  }

  u16(): number {
    return this.#bytes.readUInt16LE(this.#skip(2));
  }

  u32(): number {
    return this.#bytes.readUInt32LE(this.#skip(4));
  }

  i32(): number {
    return this.#bytes.readInt32LE(this.#skip(4));
  }

  /** UInt64 as a number; throws from 2^53 on, where a number would lie. */
  u64(): number {
    const at = this.#skip(8);
    const high = this.#bytes.readUInt32LE(at + 4);
    if (high > MAX_SAFE_HIGH_WORD) throw unsafe(this.#bytes.readBigUInt64LE(at));
    return high * 0x1_0000_0000 + this.#bytes.readUInt32LE(at);
  }

  u64big(): bigint {
    return this.#bytes.readBigUInt64LE(this.#skip(8));
  }

  /** Int64 as a number; throws outside ±(2^53 − 1). */
  i64(): number {
    const value = this.i64big();
    const number = Number(value);
    if (!Number.isSafeInteger(number)) throw unsafe(value);
    return number;
  }

  i64big(): bigint {
    return this.#bytes.readBigInt64LE(this.#skip(8));
  }

  u256(): bigint {
    const at = this.#skip(32);
    let value = 0n;
    for (let word = 24; word >= 0; word -= 8) value = (value << 64n) | this.#bytes.readBigUInt64LE(at + word);
    return value;
  }

  i256(): bigint {
    return BigInt.asIntN(256, this.u256());
  }

  bool(): boolean {
    return this.u8() !== 0;
  }

  /** FixedString(byteLength), a view. */
  fixed(byteLength: number): Uint8Array {
    const at = this.#skip(byteLength);
    return this.#bytes.subarray(at, at + byteLength);
  }

  /** String as bytes, a view. */
  bytes(): Uint8Array {
    return this.fixed(this.#length());
  }

  /** String as UTF-8 text. */
  string(): string {
    const byteLength = this.#length();
    const at = this.#skip(byteLength);
    return this.#bytes.toString('utf8', at, at + byteLength);
  }

  stringArray(): string[] {
    return this.array(() => this.string());
  }

  /** Array(T), `read` being the method for T. */
  array<T>(read: () => T): T[] {
    const count = this.#length();
    const values: T[] = [];
    for (let i = 0; i < count; i++) values.push(read());
    return values;
  }

  /** Map(String, UInt64). */
  map(): Map<string, number> {
    const count = this.#length();
    const entries = new Map<string, number>();
    for (let i = 0; i < count; i++) {
      const key = this.string();
      entries.set(key, this.u64());
    }
    return entries;
  }

  /** Nullable(T), `read` being the method for T. */
  nullable<T>(read: () => T): T | undefined {
    return this.u8() === 0 ? read() : undefined;
  }

  /** A LEB128 length or count. */
  #length(): number {
    let value = 0;
    let unit = 1;
    for (let i = 0; i < 7; i++) {
      const byte = this.u8();
      value += (byte & 0x7f) * unit;
      if (byte < 0x80) return value;
      unit *= 0x80;
    }
    throw new StrataError('store_query_failed', 'A RowBinary length has more than 49 bits');
  }

  #skip(byteLength: number): number {
    const at = this.#at;
    const end = at + byteLength;
    if (end > this.#bytes.length) {
      throw new StrataError(
        'store_query_failed',
        `RowBinary ends inside a value: ${byteLength} bytes are due at ${at} of ${this.#bytes.length}`,
      );
    }
    this.#at = end;
    return at;
  }
}

function unsafe(value: bigint): StrataError {
  return new StrataError('store_query_failed', `The integer ${value} does not fit a number`);
}
