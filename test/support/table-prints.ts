import { RowReader } from '../../src/core/rowbinary.ts';
import { readCheckpoint } from '../../src/store/checkpoints.ts';
import { countedRows } from '../../src/store/generations.ts';
import { identifier, quote } from '../../src/store/sql.ts';
import type { Store } from '../../src/store/store.ts';

/**
 * What two stores of the same chain have in common, however often their writers were stopped: for every table of the
 * database, found in the engine's own catalogue, its rows, its distinct keys and a hash of all columns that knows no
 * order. Of the modules' rows those that the checkpoint counts. A table that these rules do not know is compared whole, so that a new one cannot be forgotten.
 */
export type TablePrints = Readonly<Record<string, string>>;

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
  /** Columns that are summed: a row stands for one insert, and how many those are is the commits' affair. */
  readonly summed: readonly string[];
}

/** Tables whose rows tell of the run, and what of them is the chain's all the same. */
const BOOKKEEPING: Readonly<Record<string, string | undefined>> = {
  // one row a commit: the last one counts, and its row counts are held against the tables
  checkpoints:
    'SELECT height, first_height, hex(block_hash), block_time_ns, results_hash, results_app_hash FROM checkpoints ORDER BY height DESC, written_at DESC LIMIT 1',
  // which node was asked, and when, is the run's affair
  bad_blocks: 'SELECT count(), sum(sipHash64(height, reason, results_sha256)) FROM bad_blocks',
  // written when the clock says so
  source_heads: undefined,
  // comparisons with the chain are made when the clock says so
  reconciliations: undefined,
  reconciliation_checks: undefined,
  // random, and a writer that was killed may have left a second one: that there is one of 32 bytes
  cursor_keys: 'SELECT min(length(key)) FROM cursor_keys',
  // versions of a key replace each other; of the last results those of the commit before depend on the run
  facts: 'SELECT arraySort(groupArray((key, value))) FROM facts FINAL',
};

/** Tables of one statement: planning a statement costs more than reading these tables. */
const TABLES_A_STATEMENT = 20;

/** The prints of every table; also that the newest checkpoint counts the rows that are there. */
export async function tablePrints(store: Store): Promise<TablePrints> {
  const checkpoint = await readCheckpoint(store);
  const counting = new Map<string, string>();
  const printing = new Map<string, string>();
  for (const table of await listTables(store)) {
    const counted = checkpoint === undefined ? undefined : countedRows(checkpoint, table.name);
    const where = counted === undefined ? '' : ` WHERE ${counted}`;
    counting.set(table.name, `SELECT count() FROM ${identifier(table.name)}${where}`);
    const print = table.name in BOOKKEEPING ? BOOKKEEPING[table.name] : printQuery(table, where);
    if (print !== undefined) printing.set(table.name, print);
  }
  const counts = await answers(store, counting);
  for (const [table, expected] of checkpoint?.rows ?? []) {
    const found = counts.get(table);
    if (found !== `(${expected})`)
      throw new Error(`${table} has ${found ?? 'no'} rows, and its checkpoint says ${expected}`);
  }
  return Object.fromEntries(await answers(store, printing));
}

/** By table, the row that its query gives, as a tuple; empty text where it gives none. */
async function answers(store: Store, queries: ReadonlyMap<string, string>): Promise<Map<string, string>> {
  const found = new Map([...queries.keys()].map((table) => [table, '']));
  const all = [...queries];
  for (let at = 0; at < all.length; at += TABLES_A_STATEMENT) {
    const parts = all
      .slice(at, at + TABLES_A_STATEMENT)
      .map(([table, query]) => `SELECT ${quote(table)}, toString(tuple(*)) FROM (${query})`);
    const rows = new RowReader(await store.query(parts.join(' UNION ALL '), { timeoutSeconds: 300 }));
    while (!rows.done) found.set(rows.string(), rows.string());
  }
  return found;
}

function printQuery({ name, columns, key, summed }: Table, where: string): string {
  const from = `FROM ${identifier(name)}${where}`;
  const list = (names: readonly string[]): string => names.map(identifier).join(', ');
  if (summed.length === 0) {
    return `SELECT count(), uniqExact(${list(key)}), sum(sipHash64(${list(columns)})) ${from}`;
  }
  const sums = summed.map((column) => `sum(${identifier(column)}) AS ${identifier(`sum_${column}`)}`);
  const groups = `SELECT ${list(key)}, ${sums.join(', ')} ${from} GROUP BY ${list(key)}`;
  return `SELECT count(), sum(sipHash64(*)) FROM (${groups})`;
}

async function listTables(store: Store): Promise<Table[]> {
  const grouping = await groupingTargets(store);
  const rows = new RowReader(
    await store.query(`SELECT t.name AS name, any(t.sorting_key) AS sorting_key, arrayStringConcat(groupArray(c.name), ' ') AS columns
FROM system.tables AS t INNER JOIN system.columns AS c ON c.database = t.database AND c.table = t.name
WHERE t.database = currentDatabase() AND t.engine LIKE '%MergeTree' AND c.default_kind != 'ALIAS'
GROUP BY t.name ORDER BY t.name`),
  );
  const tables: Table[] = [];
  while (!rows.done) {
    const name = rows.string();
    const key = rows.string().split(', ');
    // which derivation has made a row is the run's affair
    const columns = rows
      .string()
      .split(' ')
      .filter((column) => column !== 'generation');
    if (grouping.has(name)) {
      const groups = key.filter((column) => column !== 'height');
      const summed = columns.filter((column) => !key.includes(column));
      tables.push({ name, columns, key: groups, summed });
    } else {
      tables.push({ name, columns, key, summed: [] });
    }
  }
  return tables;
}

/** Targets of views that group: theirs is a row a group and insert. */
async function groupingTargets(store: Store): Promise<ReadonlySet<string>> {
  const rows = new RowReader(
    await store.query(`SELECT create_table_query FROM system.tables
WHERE database = currentDatabase() AND engine = ${quote('MaterializedView')} AND as_select LIKE '%GROUP BY%'`),
  );
  const targets = new Set<string>();
  while (!rows.done) {
    const target = / TO (?:`?\w+`?\.)?`?(\w+)`? /.exec(rows.string())?.[1];
    if (target === undefined) throw new Error('a view without a target');
    targets.add(target);
  }
  return targets;
}
