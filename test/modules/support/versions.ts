import type { ColumnType } from '../../../src/core/columns.ts';
import { rowReader } from '../../../src/core/reading.ts';
import { RowReader } from '../../../src/core/rowbinary.ts';
import type { ColumnOf, DerivedTable, RowOf, TableBlock } from '../../../src/core/table.ts';
import type { VersionReader } from '../../../src/derive/derivation.ts';
import { type NativeRow, type NativeValue, readNativeRows } from '../../support/native-rows.ts';

/** Rows by table, in the order in which they were derived; the generation is among their columns. */
export type Rows = ReadonlyMap<string, readonly NativeRow[]>;

/** The rows of ranges, one after the other. */
export function rowsOf(ranges: readonly (readonly TableBlock[])[]): Rows {
  const rows = new Map<string, NativeRow[]>();
  for (const { table, native } of ranges.flat()) {
    const held = rows.get(table) ?? [];
    for (const row of readNativeRows(native)) held.push(row);
    rows.set(table, held);
  }
  return rows;
}

/** A store of versions in memory: what a writer reads back at its start, out of the rows that it had written. */
export function versionsIn(rows: Rows): VersionReader {
  const give = <T extends DerivedTable, Name extends ColumnOf<T>>(
    table: T,
    columns: readonly Name[],
    found: readonly NativeRow[],
    read: (row: RowOf<T, Name>) => void,
  ): void => {
    const types = columns.map((name) => typeOf(table, name));
    const readRow = rowReader(table, columns);
    for (const row of found) {
      const bytes = Buffer.concat(columns.map((name, i) => encode(row[name] ?? '', types[i] ?? 'String')));
      const reader = new RowReader(bytes);
      read(readRow(reader));
      if (!reader.done) throw new Error(`a row of ${table.name} was read in part`);
    }
  };
  return {
    async latest(table, columns, read, only) {
      if (table.key.length === 0) throw new Error(`${table.name} has no key`);
      const newest = new Map<string, NativeRow>();
      for (const row of rows.get(table.name) ?? [])
        newest.set(JSON.stringify(table.key.map((name) => String(row[name]))), row);
      const sorted = [...newest.values()].sort((a, b) => compareKeys(a, b, table.key));
      const wanted =
        only === undefined ? sorted : sorted.filter((row) => only[1].includes(String(row[only[0]])));
      give(table, columns, wanted, read);
    },
    async newest(table, columns, read) {
      give(table, columns, (rows.get(table.name) ?? []).slice(-1), read);
    },
    async lastOfEach(table, by, texts, order, columns, read) {
      const last = new Map<string, NativeRow>();
      for (const row of rows.get(table.name) ?? []) {
        const key = String(row[by]);
        if (!texts.includes(key)) continue;
        const held = last.get(key);
        if (held === undefined || compareKeys(held, row, order) < 0) last.set(key, row);
      }
      const sorted = [...last].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
      give(table, columns, sorted, read);
    },
    async rows(table, columns, read) {
      give(table, columns, rows.get(table.name) ?? [], read);
    },
  };
}

function typeOf({ name, columns }: DerivedTable, wanted: string): ColumnType {
  const column = columns.find(([of]) => of === wanted);
  if (column === undefined) throw new Error(`${name} has no column ${wanted}`);
  return column[1];
}

function compareKeys(a: NativeRow, b: NativeRow, key: readonly string[]): number {
  for (const name of key) {
    const order = compare(a[name] ?? '', b[name] ?? '');
    if (order !== 0) return order;
  }
  return 0;
}

function compare(a: NativeValue, b: NativeValue): number {
  if (typeof a === 'string' || Buffer.isBuffer(a)) return Buffer.compare(bytesOf(a), bytesOf(b));
  return a < b ? -1 : a > b ? 1 : 0;
}

function bytesOf(value: NativeValue): Buffer {
  return Buffer.isBuffer(value) ? value : Buffer.from(String(value), 'utf8');
}

/** A value in RowBinary. */
export function encode(value: NativeValue, type: ColumnType): Buffer {
  switch (type) {
    case 'String': {
      const bytes = bytesOf(value);
      return Buffer.concat([varint(bytes.length), bytes]);
    }
    case 'Array(String)': {
      const texts = value as readonly string[];
      return Buffer.concat([varint(texts.length), ...texts.map((text) => encode(text, 'String'))]);
    }
    case 'FixedString(4)':
    case 'FixedString(20)':
    case 'FixedString(32)':
      return value as Buffer;
    default: {
      const bits = Number(/\d+$/.exec(type)?.[0]);
      const digits = BigInt.asUintN(bits, BigInt(value as number | bigint)).toString(16);
      return Buffer.from(digits.padStart(bits / 4, '0'), 'hex').reverse();
    }
  }
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return Buffer.from([...bytes, rest]);
}
