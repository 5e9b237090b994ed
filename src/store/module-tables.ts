import { StrataError } from 'strata-kit/errors';
import { RowReader } from '../core/rowbinary.ts';
import type { DerivedTable, Table } from '../core/table.ts';
import { SHARED_TABLES } from '../core/tables.ts';
import { identifier, quote } from './sql.ts';
import type { Store } from './store.ts';
import { createStatements, viewName } from './table-ddl.ts';

/**
 * The tables of modules, and the views over them: what an analyst asks without a word on generations. A module that joins
 * gets its tables when a store is next opened to be written.
 */

const GENERATION = ['generation', 'UInt32'] as const;

const CHECKPOINT = '(SELECT max(height) FROM checkpoints)';
const GENERATIONS = '(SELECT generations FROM checkpoints ORDER BY height DESC, written_at DESC LIMIT 1)';

interface View {
  readonly name: string;
  readonly columns: readonly string[];
  readonly sql: string;
}

/** `<table>_history`: every row that readers see. `<table>_now`, where rows are versions: the newest of each record. */
export function moduleViews(
  tables: readonly DerivedTable[],
  shared: readonly Table[] = SHARED_TABLES,
): readonly View[] {
  const view = (name: string, { name: table, columns }: Table, condition: string, rest = ''): View => {
    const list = columns.map(([column]) => column);
    const select = `SELECT ${list.map(identifier).join(', ')} FROM ${identifier(table)}`;
    return {
      name,
      columns: list,
      sql: `CREATE OR REPLACE VIEW ${name} AS ${select} WHERE ${condition} AND height <= ${CHECKPOINT}${rest}`,
    };
  };
  const ofModules = tables.flatMap((table) => {
    const condition = `generation = ${GENERATIONS}[${quote(table.module)}]`;
    const key = table.key.map(identifier).join(', ');
    const newest = ` ORDER BY ${key}, height DESC LIMIT 1 BY ${key}`;
    return [
      view(`${table.name}_history`, table, condition),
      ...(key === '' ? [] : [view(`${table.name}_now`, table, condition, newest)]),
    ];
  });
  const ofAll = shared.map((table) =>
    view(`${table.name}_history`, table, `generation = ${GENERATIONS}[module]`),
  );
  return [...ofModules, ...ofAll];
}

/**
 * Makes the tables that the store lacks, and the views that it lacks or has with other columns.
 *
 * Errors: config_invalid for a table that is there with other columns, as of another module's or an older one's.
 */
export async function prepareModuleTables(store: Store, tables: readonly DerivedTable[]): Promise<void> {
  if (tables.length === 0) return;
  const found = await readColumns(store);
  for (const table of tables) {
    const columns = found.get(table.name);
    if (columns !== undefined) checkColumns(table, columns);
    const lacksView = table.facts.filledBy !== undefined && !found.has(viewName(table));
    if (columns !== undefined && !lacksView) continue;
    for (const sql of createStatements(table)) await store.command(sql);
  }
  for (const { name, columns, sql } of moduleViews(tables)) {
    const names = [...(found.get(name)?.keys() ?? [])];
    if (names.join() !== columns.join()) await store.command(sql);
  }
}

/** Errors: config_invalid for modules of which the store has no tables. */
export async function checkModuleTables(
  store: Store,
  storeName: string,
  tables: readonly DerivedTable[],
): Promise<void> {
  if (tables.length === 0) return;
  const found = await readColumns(store);
  for (const table of tables) {
    const columns = found.get(table.name);
    if (columns !== undefined) checkColumns(table, columns);
    else {
      throw new StrataError(
        'config_invalid',
        `the store ${storeName} has no table ${table.name} of the module ${table.module}: ` +
          'start the process that indexes with this version of Strata and the same --modules, first',
      );
    }
  }
}

function checkColumns({ name, module, columns }: DerivedTable, found: ReadonlyMap<string, string>): void {
  const expected = [GENERATION, ...columns];
  const isSame = expected.every(([column, type]) => found.get(column) === type);
  if (isSame && found.size === expected.length) return;
  throw new StrataError(
    'config_invalid',
    `the store has a table ${name} whose columns are not those that the module ${module} names: ` +
      'name the table anew in the module, or drop it',
  );
}

/** By table, its stored columns with the type that Native carries. */
async function readColumns(store: Store): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const rows = new RowReader(
    await store.query(
      `SELECT toString(table), toString(name), toString(type) FROM system.columns
WHERE database = currentDatabase() AND default_kind != 'ALIAS' ORDER BY table, position`,
    ),
  );
  const tables = new Map<string, Map<string, string>>();
  while (!rows.done) {
    const [table, name, type] = [rows.string(), rows.string(), rows.string()];
    const columns = tables.get(table) ?? new Map<string, string>();
    columns.set(name, type.replaceAll(/LowCardinality\(([^()]*)\)/g, '$1'));
    tables.set(table, columns);
  }
  return tables;
}
