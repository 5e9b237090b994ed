import type { ColumnKind } from './columns.ts';
import type { RowReader } from './rowbinary.ts';
import type { ColumnOf, RowOf, Table } from './table.ts';

/** Reads one row of some of a table's columns, selected in the order of `names`, as an object. */
export function rowReader<T extends Table, Name extends ColumnOf<T>>(
  { kinds }: T,
  names: readonly Name[],
): (row: RowReader) => RowOf<T, Name> {
  const columns = names.map((name) => [name, kinds[name] as ColumnKind<unknown>] as const);
  return (row) => {
    const values: Record<string, unknown> = {};
    for (const [name, kind] of columns) values[name] = kind.read(row);
    return values as RowOf<T, Name>;
  };
}

export function columnNames<T extends Table>({ columns }: T): readonly ColumnOf<T>[] {
  return columns.map(([name]) => name as ColumnOf<T>);
}

/** The SELECT list of some of a table's columns, all where none are named, and the reader of such a row. */
export interface Selection<Row> {
  readonly columns: string;
  readonly read: (row: RowReader) => Row;
}

export function selection<T extends Table, Name extends ColumnOf<T> = ColumnOf<T>>(
  table: T,
  names: readonly Name[] = columnNames(table) as readonly Name[],
): Selection<RowOf<T, Name>> {
  return { columns: names.join(', '), read: rowReader(table, names) };
}
