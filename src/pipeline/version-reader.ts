import { StrataError } from 'strata-kit/errors';
import { rowReader } from '../core/reading.ts';
import { RowReader } from '../core/rowbinary.ts';
import type { ColumnOf, DerivedTable, RowOf } from '../core/table.ts';
import type { VersionReader } from '../derive/derivation.ts';
import type { Checkpoint } from '../store/checkpoints.ts';
import { identifier, quote, uintLiteral } from '../store/sql.ts';
import type { Store } from '../store/store.ts';

const RESTORE_SECONDS = 3_600;
/** Of a statement, as an engine plans each by itself. */
const LOOK_UPS = 64;

/** Versions as of a checkpoint, from the store. */
export function versionReader(store: Store, { height, generations }: Checkpoint): VersionReader {
  const readRows = async <T extends DerivedTable, Name extends ColumnOf<T>>(
    sql: string,
    table: T,
    columns: readonly Name[],
    read: (row: RowOf<T, Name>) => void,
  ): Promise<void> => {
    const rows = new RowReader(await store.query(sql, { timeoutSeconds: RESTORE_SECONDS }));
    const readRow = rowReader(table, columns);
    while (!rows.done) read(readRow(rows));
  };
  const conditionOf = (module: string): string => {
    const generation = generations.get(module);
    if (generation === undefined) throw new StrataError('internal', `module ${module} has no generation`);
    return `generation = ${uintLiteral(generation)} AND height <= ${uintLiteral(height)}`;
  };
  const select = (columns: readonly string[], { name, module }: DerivedTable): string =>
    `SELECT ${columns.map(identifier).join(', ')} FROM ${identifier(name)} WHERE ${conditionOf(module)}`;
  return {
    latest(table, columns, read, only) {
      const keys = table.key.map(identifier).join(', ');
      const newest = ` ORDER BY ${keys}, height DESC LIMIT 1 BY ${keys}`;
      if (only === undefined) return readRows(`${select(columns, table)}${newest}`, table, columns, read);
      const [column, values] = only;
      if (values.length === 0) return Promise.resolve();
      const isOneOf = `${identifier(column)} IN (${values.map(quote).join(', ')})`;
      // a record keeps its key, so that older versions need not be read to know it
      const where = table.key.includes(column) ? ` AND ${isOneOf}` : '';
      const inner = `${select([...new Set([...columns, ...table.key, column])], table)}${where}${newest}`;
      const list = columns.map(identifier).join(', ');
      const sql = `SELECT ${list} FROM (${inner}) WHERE ${isOneOf} ORDER BY ${keys}`;
      return readRows(sql, table, columns, read);
    },
    newest: (table, columns, read) =>
      readRows(`${select(columns, table)} ORDER BY height DESC LIMIT 1`, table, columns, read),
    async lastOfEach(table, by, texts, order, columns, read) {
      const list = columns.map(identifier).join(', ');
      const backwards = [by, ...order].map((each) => `${identifier(each)} DESC`).join(', ');
      const last = (text: string) =>
        `SELECT ${list} FROM (${select(columns, table)} AND ${identifier(by)} = ${quote(text)} ` +
        `ORDER BY ${backwards} LIMIT 1)`;
      for (let from = 0; from < texts.length; from += LOOK_UPS) {
        const sql = texts
          .slice(from, from + LOOK_UPS)
          .map(last)
          .join(' UNION ALL ');
        await readRows(sql, table, columns, read);
      }
    },
    rows: (table, columns, read) => readRows(select(columns, table), table, columns, read),
  };
}
