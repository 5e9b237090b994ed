import type { ColumnKind, ColumnType } from './columns.ts';
import type { ColumnOf, Kinds, RowOf, TableSpec } from './table.ts';

/**
 * Column builders for ClickHouse's Native format: a block is varint(columns), varint(rows), then per column its
 * name, its type and its values one after the other. Files of several blocks one after the other are valid.
 *
 * A builder keeps its buffer between blocks, so that a worker that has reached its working size allocates no more.
 */

const INITIAL_BYTES = 1 << 12;
/** Up to here a loop is faster than a call into the engine. */
const LOOP_BYTES = 48;

/** Bytes under construction. */
export class GrowingBytes {
  bytes: Buffer = Buffer.alloc(INITIAL_BYTES);
  view = new DataView(this.bytes.buffer);
  length = 0;

  /** Makes room for `count` more bytes and returns where they start; the caller fills them. */
  extend(count: number): number {
    const start = this.length;
    const end = start + count;
    if (end > this.bytes.length) this.#grow(Math.max(end, this.bytes.length * 2));
    this.length = end;
    return start;
  }

  #grow(size: number): void {
    const grown = Buffer.alloc(size);
    grown.set(this.bytes);
    this.bytes = grown;
    this.view = new DataView(grown.buffer);
  }

  /** What stands in `source` at from..to. */
  append(source: Uint8Array, from: number, to: number): void {
    const count = to - from;
    const at = this.extend(count);
    if (count > LOOP_BYTES) {
      this.bytes.set(new Uint8Array(source.buffer, source.byteOffset + from, count), at);
      return;
    }
    const { bytes } = this;
    for (let i = 0; i < count; i++) bytes[at + i] = source[from + i] as number;
  }

  /** Text of one byte a char. */
  latin1(text: string): void {
    const { length } = text;
    const at = this.extend(length);
    const { bytes } = this;
    if (length > LOOP_BYTES) bytes.write(text, at, length, 'latin1');
    else for (let i = 0; i < length; i++) bytes[at + i] = text.charCodeAt(i);
  }

  varint(value: number): void {
    if (value < 0x80) {
      const at = this.extend(1);
      this.bytes[at] = value;
    } else {
      const at = this.extend(varintLength(value));
      writeVarint(this.bytes, at, value);
    }
  }
}

export function varintLength(value: number): number {
  let length = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) length++;
  return length;
}

export function writeVarint(target: Uint8Array, at: number, value: number): number {
  let rest = value;
  let position = at;
  while (rest >= 0x80) {
    target[position++] = (rest & 0x7f) | 0x80;
    rest = Math.floor(rest / 0x80);
  }
  target[position++] = rest;
  return position;
}

/** A column of any type; which append method fits follows from the type. */
export class Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly #width: number;
  readonly #values = new GrowingBytes();
  /** Array(String): the element count of each row. */
  readonly #counts = new GrowingBytes();
  #valuesMark = 0;
  #countsMark = 0;

  constructor(name: string, type: ColumnType) {
    this.name = name;
    this.type = type;
    this.#width = fixedWidth(type);
  }

  get byteLength(): number {
    return this.#values.length + this.#counts.length * 2;
  }

  u8(value: number): void {
    const at = this.#values.extend(1);
    this.#values.bytes[at] = value;
  }

  i8(value: number): void {
    const at = this.#values.extend(1);
    this.#values.view.setInt8(at, value);
  }

  u32(value: number): void {
    const at = this.#values.extend(4);
    this.#values.view.setUint32(at, value, true);
  }

  i32(value: number): void {
    const at = this.#values.extend(4);
    this.#values.view.setInt32(at, value, true);
  }

  /** A non-negative safe integer. */
  u64(value: number): void {
    const at = this.#values.extend(8);
    this.#values.view.setUint32(at, value, true);
    this.#values.view.setUint32(at + 4, Math.floor(value / 0x1_0000_0000), true);
  }

  /** The same non-negative safe integer in `count` rows. */
  u64Repeated(value: number, count: number): void {
    const start = this.#values.extend(count * 8);
    const { view } = this.#values;
    const high = Math.floor(value / 0x1_0000_0000);
    for (let at = start; at < start + count * 8; at += 8) {
      view.setUint32(at, value, true);
      view.setUint32(at + 4, high, true);
    }
  }

  /** The same integer in `count` rows. */
  i32Repeated(value: number, count: number): void {
    const start = this.#values.extend(count * 4);
    const { view } = this.#values;
    for (let at = start; at < start + count * 4; at += 4) view.setInt32(at, value, true);
  }

  /** 0, 1, 2, … in `count` rows. */
  u32Sequence(count: number): void {
    const start = this.#values.extend(count * 4);
    const { view } = this.#values;
    for (let i = 0; i < count; i++) view.setUint32(start + i * 4, i, true);
  }

  u64big(value: bigint): void {
    const at = this.#values.extend(8);
    this.#values.view.setBigUint64(at, value, true);
  }

  i64big(value: bigint): void {
    const at = this.#values.extend(8);
    this.#values.view.setBigInt64(at, value, true);
  }

  /** The same integer in `count` rows. */
  u32Repeated(value: number, count: number): void {
    const start = this.#values.extend(count * 4);
    const { view } = this.#values;
    for (let at = start; at < start + count * 4; at += 4) view.setUint32(at, value, true);
  }

  /** Int256. */
  i256(value: bigint): void {
    const at = this.#values.extend(32);
    const { view } = this.#values;
    if (value >= 0n && value < 0x1_0000_0000_0000_0000n) {
      view.setBigUint64(at, value, true);
      this.#values.bytes.fill(0, at + 8, at + 32);
      return;
    }
    let rest = value;
    for (let word = 0; word < 32; word += 8) {
      view.setBigUint64(at + word, BigInt.asUintN(64, rest), true);
      rest >>= 64n;
    }
  }

  /** Big-endian bytes, at most 32, as UInt256. */
  u256be(value: Uint8Array): void {
    const at = this.#values.extend(32);
    const bytes = this.#values.bytes;
    bytes.fill(0, at, at + 32);
    for (let i = 0; i < value.length && i < 32; i++) bytes[at + i] = value[value.length - 1 - i] as number;
  }

  /** Exactly the column's width, or fewer bytes: the rest are zeros. */
  fixed(value: Uint8Array): void {
    const width = this.#width;
    const at = this.#values.extend(width);
    const { bytes } = this.#values;
    const length = Math.min(value.length, width);
    for (let i = 0; i < length; i++) bytes[at + i] = value[i] as number;
    if (length < width) bytes.fill(0, at + length, at + width);
  }

  /** Text of one byte a char. */
  latin1(text: string): void {
    this.#values.varint(text.length);
    this.#values.latin1(text);
  }

  /** Text of any characters, as UTF-8. */
  text(text: string): void {
    if (text.length < 0x80 && this.#shortAscii(text)) return;
    for (let i = 0; i < text.length; i++) {
      if (text.charCodeAt(i) < 0x80) continue;
      this.bytes(Buffer.from(text, 'utf8'));
      return;
    }
    this.latin1(text);
  }

  /** In one pass over fewer than 128 chars; false, and nothing appended, where one of them is not ASCII. */
  #shortAscii(text: string): boolean {
    const { length } = text;
    const values = this.#values;
    const at = values.extend(length + 1);
    const { bytes } = values;
    bytes[at] = length;
    for (let i = 0; i < length; i++) {
      const char = text.charCodeAt(i);
      if (char >= 0x80) {
        values.length = at;
        return false;
      }
      bytes[at + 1 + i] = char;
    }
    return true;
  }

  /** A byte string. */
  bytes(value: Uint8Array): void {
    this.copy(value, 0, value.length);
  }

  /** The byte string that stands in `source` at from..to. */
  copy(source: Uint8Array, from: number, to: number): void {
    this.#values.varint(to - from);
    this.#values.append(source, from, to);
  }

  /** A string that is encoded already: varint length and bytes. */
  native(value: Uint8Array): void {
    this.#values.append(value, 0, value.length);
  }

  /** One row of Array(String). */
  latin1Array(texts: readonly string[]): void {
    const at = this.#counts.extend(4);
    this.#counts.view.setUint32(at, texts.length, true);
    for (const text of texts) this.latin1(text);
  }

  /** One row of Array(String), of any characters. */
  textArray(texts: readonly string[]): void {
    const at = this.#counts.extend(4);
    this.#counts.view.setUint32(at, texts.length, true);
    for (const text of texts) this.text(text);
  }

  /** Gives `target` the bytes appended since the last call, in canonical form: array lengths as u32, then the values. */
  takeSinceMark(target: GrowingBytes): void {
    target.append(this.#counts.bytes, this.#countsMark, this.#counts.length);
    target.append(this.#values.bytes, this.#valuesMark, this.#values.length);
    this.#countsMark = this.#counts.length;
    this.#valuesMark = this.#values.length;
  }

  /** Drops what has been appended since the mark. */
  rollBackToMark(): void {
    this.#values.length = this.#valuesMark;
    this.#counts.length = this.#countsMark;
  }

  /** Writes name, type and values; returns the position behind them. */
  writeTo(target: Buffer, at: number): number {
    let position = writeText(target, at, this.name);
    position = writeText(target, position, this.type);
    let end = 0;
    for (let i = 0; i < this.#counts.length; i += 4) {
      end += this.#counts.bytes.readUInt32LE(i);
      target.writeBigUInt64LE(BigInt(end), position);
      position += 8;
    }
    target.set(new Uint8Array(this.#values.bytes.buffer, 0, this.#values.length), position);
    return position + this.#values.length;
  }

  reset(): void {
    this.#values.length = 0;
    this.#counts.length = 0;
    this.#valuesMark = 0;
    this.#countsMark = 0;
  }
}

function fixedWidth(type: ColumnType): number {
  const match = /^FixedString\((\d+)\)$/.exec(type);
  return match === null ? 0 : Number(match[1]);
}

function writeText(target: Buffer, at: number, text: string): number {
  const start = writeVarint(target, at, text.length);
  return start + target.write(text, start, text.length, 'latin1');
}

interface Field<Spec extends TableSpec> {
  readonly name: ColumnOf<Spec>;
  readonly append: ColumnKind<unknown>['append'];
  readonly column: Column;
}

/** The columns of one table, by name, and the row count that the caller advances. */
export class TableBuilder<Spec extends TableSpec = TableSpec> {
  readonly spec: Spec;
  readonly columns: { readonly [Name in Spec['columns'][number][0]]: Column };
  readonly list: readonly Column[];
  rows = 0;
  #rowsMark = 0;
  readonly #fields: readonly Field<Spec>[];

  constructor(spec: Spec) {
    this.spec = spec;
    this.list = spec.columns.map(([name, type]) => new Column(name, type));
    const { kinds = {} } = spec as { readonly kinds?: Kinds };
    this.#fields = this.list.flatMap((column) => {
      const append = kinds[column.name]?.append;
      return append === undefined ? [] : [{ name: column.name as ColumnOf<Spec>, append, column }];
    });
    this.columns = Object.fromEntries(
      this.list.map((column) => [column.name, column]),
    ) as TableBuilder<Spec>['columns'];
  }

  /** One row, by the columns' names. Decode workers fill columns instead: a row object costs too much there. */
  append(row: RowOf<Spec>): void {
    for (const { name, append, column } of this.#fields) append(column, row[name]);
    this.rows++;
  }

  get rowsSinceMark(): number {
    return this.rows - this.#rowsMark;
  }

  /** Rows appended since the last call. */
  takeRowsSinceMark(): number {
    const rows = this.rows - this.#rowsMark;
    this.#rowsMark = this.rows;
    return rows;
  }

  /** Drops the rows appended since the mark. */
  rollBackToMark(): void {
    for (const column of this.list) column.rollBackToMark();
    this.rows = this.#rowsMark;
  }

  /**
   * One Native block in memory of its own (so that it can be transferred), and an empty builder. `constant`: a UInt32
   * column before the others that holds one value.
   */
  finish(constant?: readonly [name: string, value: number]): Uint8Array {
    const columns = constant === undefined ? this.list : [constantColumn(constant, this.rows), ...this.list];
    let size = 20;
    for (const column of columns) size += column.name.length + column.type.length + 10 + column.byteLength;
    const target = Buffer.from(new ArrayBuffer(size));
    let at = writeVarint(target, 0, columns.length);
    at = writeVarint(target, at, this.rows);
    for (const column of columns) at = column.writeTo(target, at);
    this.reset();
    return target.subarray(0, at);
  }

  reset(): void {
    for (const column of this.list) column.reset();
    this.rows = 0;
    this.#rowsMark = 0;
  }
}

function constantColumn([name, value]: readonly [string, number], rows: number): Column {
  const column = new Column(name, 'UInt32');
  column.u32Repeated(value, rows);
  return column;
}
