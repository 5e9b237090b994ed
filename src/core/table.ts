import type { ColumnKind, ColumnType } from './columns.ts';

/**
 * A table, declared once: its columns give the DDL (src/store/table-ddl.ts), the append of a row (TableBuilder), and the
 * reading of rows (src/core/reading.ts).
 */

export type Kinds = Readonly<Record<string, ColumnKind<unknown>>>;

/** What an insert needs to know of a table. */
export interface TableSpec {
  readonly name: string;
  /** In insert order. The type is what Native carries; the table may store LowCardinality of it. */
  readonly columns: readonly (readonly [name: string, type: ColumnType])[];
}

export interface TableFacts<K extends Kinds> {
  readonly name: string;
  readonly columns: K;
  /**
   * The columns that name a record, of which each row is a version: the newest at or below a height is the record as of
   * it. Empty where rows are facts of their own, such as a distribution.
   */
  readonly key?: readonly (keyof K & string)[];
  /** What rows are sorted by; the key and the height where it is left out. */
  readonly order?: readonly (keyof K & string)[];
  /** Rows of an index granule. */
  readonly granularity?: number;
  /** Further settings of the engine. */
  readonly settings?: Readonly<Record<string, number | string>>;
  /** Beside MergeTree. */
  readonly engine?: string;
  /** Lines of the DDL behind the columns: what the engine computes, skip indexes. */
  readonly also?: readonly string[];
  /** The SELECT of a materialised view that fills it, from a table that stands before it. */
  readonly filledBy?: string;
}

/** One Native block of one table. */
export interface TableBlock {
  readonly table: string;
  readonly rows: number;
  readonly native: Uint8Array;
}

export interface Table extends TableSpec {
  readonly kinds: Kinds;
  readonly key: readonly string[];
  readonly order: readonly string[];
  /** Whether stored rows begin with the column `generation` (UInt32), by which the table is partitioned. */
  readonly hasGeneration: boolean;
  readonly facts: Omit<TableFacts<Kinds>, 'name' | 'columns' | 'key' | 'order'>;
}

/**
 * A table that a module derives. Stored rows begin with `generation`, which is not listed in the columns: a generation is
 * one derivation of a module from the chain's first block on, and readers see one alone (as of a checkpoint). `columns`
 * hold `height`.
 */
export interface DerivedTable extends Table {
  /** Whose generation its rows carry. */
  readonly module: string;
}

/** With its columns by name. */
export interface TableOf<K extends Kinds> extends Table {
  readonly columns: readonly (readonly [name: keyof K & string, type: ColumnType])[];
  readonly kinds: K;
}

export type DerivedTableOf<K extends Kinds> = TableOf<K> & DerivedTable;

export type ColumnOf<T extends TableSpec> = T['columns'][number][0];

/** A row of some of a table's columns, or of all, by their names. */
export type RowOf<T extends TableSpec, Name extends string = ColumnOf<T>> = {
  readonly [Each in Name]: ValueOf<T, Each>;
};

type ValueOf<T, Name extends string> = T extends { readonly kinds: infer K }
  ? Name extends keyof K
    ? K[Name] extends ColumnKind<infer Value>
      ? Value
      : never
    : never
  : never;

export function table<const K extends Kinds>(facts: TableFacts<K>): TableOf<K> {
  return declare(facts, false);
}

/** A table of one module, whose rows carry its generation. */
export function derivedTable<const K extends Kinds>(
  facts: TableFacts<K> & { readonly module: string },
): DerivedTableOf<K> {
  return { ...declare({ granularity: 1024, ...facts }, true), module: facts.module };
}

/** A table in which every module has rows, under its own generation: its column `module` says whose a row is. */
export function sharedTable<const K extends Kinds>(facts: TableFacts<K>): TableOf<K> {
  return declare(facts, true);
}

function declare<K extends Kinds>(
  { name, columns, key = [], order, ...facts }: TableFacts<K>,
  hasGeneration: boolean,
): TableOf<K> {
  const names = Object.keys(columns) as (keyof K & string)[];
  const ofColumn = (column: keyof K & string) =>
    [column, (columns[column] as ColumnKind<unknown>).type] as const;
  const sorted = order ?? [...key.filter((column) => column !== 'height'), 'height'];
  return { name, kinds: columns, key, order: sorted, hasGeneration, facts, columns: names.map(ofColumn) };
}
