import type { Column } from './native.ts';
import type { RowReader } from './rowbinary.ts';

/** What a column holds: its type in ClickHouse, and how a value of it is appended and read. */

export type ColumnType =
  | 'UInt8'
  | 'Int8'
  | 'UInt16'
  | 'UInt32'
  | 'UInt64'
  | 'Int32'
  | 'Int64'
  | 'UInt256'
  | 'Int256'
  | 'String'
  | 'FixedString(4)'
  | 'FixedString(20)'
  | 'FixedString(32)'
  | 'Array(String)';

export interface ColumnKind<Value> {
  /** As Native and RowBinary carry it. */
  readonly type: ColumnType;
  /** As the table declares it, codec included. */
  readonly ddl: string;
  append(column: Column, value: Value): void;
  read(row: RowReader): Value;
}

function kind<Value>(
  type: ColumnType,
  append: (column: Column, value: Value) => void,
  read: (row: RowReader) => Value,
  ddl = `${type} CODEC(ZSTD(1))`,
): ColumnKind<Value> {
  return { type, ddl, append, read };
}

export const u8 = kind<number>(
  'UInt8',
  (column, value) => column.u8(value),
  (row) => row.u8(),
);
/** UInt8, 0 or 1. */
export const flag = kind<boolean>(
  'UInt8',
  (column, value) => column.u8(value ? 1 : 0),
  (row) => row.bool(),
);
export const i8 = kind<number>(
  'Int8',
  (column, value) => column.i8(value),
  (row) => row.i8(),
);
export const u32 = kind<number>(
  'UInt32',
  (column, value) => column.u32(value),
  (row) => row.u32(),
);
export const i32 = kind<number>(
  'Int32',
  (column, value) => column.i32(value),
  (row) => row.i32(),
);
/** A safe integer. */
export const u64 = kind<number>(
  'UInt64',
  (column, value) => column.u64(value),
  (row) => row.u64(),
);
export const u64big = kind<bigint>(
  'UInt64',
  (column, value) => column.u64big(value),
  (row) => row.u64big(),
);
export const i64big = kind<bigint>(
  'Int64',
  (column, value) => column.i64big(value),
  (row) => row.i64big(),
);
export const u256 = kind<bigint>(
  'UInt256',
  (column, value) => column.i256(value),
  (row) => row.u256(),
);
export const i256 = kind<bigint>(
  'Int256',
  (column, value) => column.i256(value),
  (row) => row.i256(),
);
export const text = kind<string>(
  'String',
  (column, value) => column.text(value),
  (row) => row.string(),
);
/** Text of few distinct values. */
export const word: ColumnKind<string> = { ...text, ddl: 'LowCardinality(String)' };
export const texts = kind<readonly string[]>(
  'Array(String)',
  (column, value) => column.textArray(value),
  (row) => row.stringArray(),
);
/** Texts of few distinct values. */
export const words: ColumnKind<readonly string[]> = { ...texts, ddl: 'Array(LowCardinality(String))' };

/** Bytes, of which a reader gets a view. Hashes do not shrink, so they are stored as they are. */
export function fixed(width: 4 | 20 | 32): ColumnKind<Uint8Array> {
  return kind<Uint8Array>(
    `FixedString(${width})`,
    (column, value) => column.fixed(value),
    (row) => row.fixed(width),
    `FixedString(${width}) CODEC(NONE)`,
  );
}

/** Stored as differences: of values that grow from row to row. */
export function delta<Value>(of: ColumnKind<Value>): ColumnKind<Value> {
  return { ...of, ddl: `${of.type} CODEC(Delta, ZSTD(1))` };
}

/** Compressed: bytes that come again and again, as addresses do. */
export function packed(of: ColumnKind<Uint8Array>): ColumnKind<Uint8Array> {
  return { ...of, ddl: `${of.type} CODEC(ZSTD(1))` };
}
