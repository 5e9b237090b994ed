import { StrataError } from 'strata-kit/errors';
import type { ColumnType } from '../core/columns.ts';
import type { TableBlock } from '../core/table.ts';

/** The columns of a Native block that this process made itself (src/core/native.ts). */
export class NativeColumns {
  readonly rows: number;
  readonly #bytes: Buffer;
  readonly #columns = new Map<string, NativeColumn>();
  /** Where the next column that was not looked at begins. */
  #at = 0;
  #left: number;

  constructor({ native }: TableBlock) {
    this.#bytes = Buffer.from(native.buffer, native.byteOffset, native.byteLength);
    this.#left = this.#varint();
    this.rows = this.#varint();
  }

  column(name: string): NativeColumn {
    for (;;) {
      const column = this.#columns.get(name);
      if (column !== undefined) return column;
      if (this.#left === 0) throw new StrataError('internal', `a decoded table has no column ${name}`);
      this.#readColumn();
    }
  }

  #readColumn(): void {
    this.#left--;
    const name = this.#text();
    const type = this.#text() as ColumnType;
    const width = WIDTHS[type];
    if (width !== undefined) {
      this.#columns.set(name, new NativeColumn(this.#bytes, this.#at, width));
      this.#at += width * this.rows;
    } else if (type === 'String') {
      const ends = new Uint32Array(this.rows + 1);
      const starts = new Uint32Array(this.rows);
      for (let row = 0; row < this.rows; row++) {
        const length = this.#varint();
        starts[row] = this.#at;
        this.#at += length;
        ends[row] = this.#at;
      }
      this.#columns.set(name, new NativeColumn(this.#bytes, 0, 0, starts, ends));
    } else if (type === 'Array(String)') {
      this.#skipTexts();
    } else {
      throw new StrataError('internal', `column ${name} of type ${type} is not read here`);
    }
  }

  /** An array column: where each row's values end, then the values of all rows. No fact is read from one. */
  #skipTexts(): void {
    const ends = this.#at;
    this.#at += 8 * this.rows;
    const count = this.rows === 0 ? 0 : Number(this.#bytes.readBigUInt64LE(ends + 8 * (this.rows - 1)));
    for (let i = 0; i < count; i++) {
      const length = this.#varint();
      this.#at += length;
    }
  }

  #text(): string {
    const length = this.#varint();
    const start = this.#at;
    this.#at += length;
    return this.#bytes.toString('latin1', start, this.#at);
  }

  #varint(): number {
    let value = 0;
    let unit = 1;
    for (;;) {
      const byte = this.#bytes[this.#at++] as number;
      value += (byte & 0x7f) * unit;
      if (byte < 0x80) return value;
      unit *= 0x80;
    }
  }
}

const WIDTHS: Partial<Record<ColumnType, number>> = {
  UInt8: 1,
  UInt16: 2,
  UInt32: 4,
  UInt64: 8,
  Int32: 4,
  Int64: 8,
  UInt256: 32,
  'FixedString(4)': 4,
  'FixedString(20)': 20,
  'FixedString(32)': 32,
};

class NativeColumn {
  readonly #bytes: Buffer;
  readonly #at: number;
  readonly #width: number;
  readonly #starts: Uint32Array | undefined;
  readonly #ends: Uint32Array | undefined;

  constructor(bytes: Buffer, at: number, width: number, starts?: Uint32Array, ends?: Uint32Array) {
    this.#bytes = bytes;
    this.#at = at;
    this.#width = width;
    this.#starts = starts;
    this.#ends = ends;
  }

  u8(row: number): number {
    return this.#bytes[this.#at + row] as number;
  }

  u32(row: number): number {
    return this.#bytes.readUInt32LE(this.#at + row * 4);
  }

  i32(row: number): number {
    return this.#bytes.readInt32LE(this.#at + row * 4);
  }

  /** A safe integer. */
  u64(row: number): number {
    const at = this.#at + row * 8;
    return this.#bytes.readUInt32LE(at + 4) * 0x1_0000_0000 + this.#bytes.readUInt32LE(at);
  }

  /** A copy: the block's own buffer goes on its way. */
  fixed(row: number): Uint8Array {
    const at = this.#at + row * this.#width;
    return Uint8Array.from(this.#bytes.subarray(at, at + this.#width));
  }

  /** Of a FixedString, in lower case. */
  hex(row: number): string {
    const at = this.#at + row * this.#width;
    return this.#bytes.toString('hex', at, at + this.#width);
  }

  /** Whether a FixedString is these bytes. */
  equals(row: number, bytes: Uint8Array): boolean {
    const at = this.#at + row * this.#width;
    return this.#bytes.compare(bytes, 0, this.#width, at, at + this.#width) === 0;
  }

  /** A copy of a String's. */
  bytes(row: number): Uint8Array {
    return Uint8Array.from(this.#bytes.subarray(this.#starts?.[row], this.#ends?.[row]));
  }

  text(row: number): string {
    return this.#bytes.toString('utf8', this.#starts?.[row], this.#ends?.[row]);
  }
}
