import { StrataError } from 'strata-kit/errors';
import { RowReader } from '../core/rowbinary.ts';
import type { ColumnType, DerivedTable, SharedTable } from '../core/tables.ts';
import { identifier, quote } from './sql.ts';
import type { Store } from './store.ts';

/**
 * The tables of modules that Strata's own SQL does not know, and the views over every module's: what an analyst asks
 * without a word on generations.
 */

const GENERATION = ['generation', 'UInt32'] as const;
/** As every table of sql/0005_modules has them. */
export const MODULE_TABLE_SETTINGS = `index_granularity = 1024,
    min_rows_to_fsync_after_merge = 1,
    old_parts_lifetime = 60,
    cleanup_delay_period = 1,
    max_cleanup_delay_period = 2,
    non_replicated_deduplication_window = 0`;

/** CREATE TABLE of a module's table: versions in the order of their key, a partition a generation. */
export function createModuleTable({ name, key, columns }: DerivedTable): string {
  const lines = [GENERATION, ...columns].map(([column, type]) => `    ${column} ${codecOf(column, type)}`);
  const order = [...key.filter((column) => column !== 'height'), 'height'].map(identifier).join(', ');
  return `CREATE TABLE IF NOT EXISTS ${name}
(
${lines.join(',\n')}
)
ENGINE = MergeTree
PARTITION BY generation
ORDER BY (${order})
SETTINGS
    ${MODULE_TABLE_SETTINGS}`;
}

/** Hashes do not shrink. */
function codecOf(column: string, type: ColumnType): string {
  if (column === 'height') return 'UInt64 CODEC(Delta, ZSTD(1))';
  return type.startsWith('FixedString') ? `${type} CODEC(NONE)` : `${type} CODEC(ZSTD(1))`;
}

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
  shared: readonly SharedTable[],
): readonly View[] {
  const view = (name: string, { name: table, columns }: SharedTable, condition: string, rest = ''): View => {
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
export async function prepareModuleTables(
  store: Store,
  tables: readonly DerivedTable[],
  shared: readonly SharedTable[],
): Promise<void> {
  if (tables.length === 0) return;
  const found = await readColumns(store);
  for (const table of tables) {
    const columns = found.get(table.name);
    if (columns === undefined) await store.command(createModuleTable(table));
    else checkColumns(table, columns);
  }
  for (const { name, columns, sql } of moduleViews(tables, shared)) {
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
          'give the same --modules to the process that indexes, first',
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
