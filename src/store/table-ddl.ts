import type { Table } from '../core/table.ts';

/** Of every table: merges and old parts lose nothing by a power failure, and repeated inserts are not dropped. */
const SETTINGS: Readonly<Record<string, number>> = {
  min_rows_to_fsync_after_merge: 1,
  old_parts_lifetime: 60,
  cleanup_delay_period: 10,
  max_cleanup_delay_period: 20,
  non_replicated_deduplication_window: 0,
};

export const GENERATION_DDL = 'generation UInt32 CODEC(ZSTD(1))';

/** What makes a table, and the view that fills it, where they are not there. */
export function createStatements(spec: Table): readonly string[] {
  const { filledBy } = spec.facts;
  if (filledBy === undefined) return [createTable(spec)];
  const view = `CREATE MATERIALIZED VIEW IF NOT EXISTS ${viewName(spec)} TO ${spec.name} AS\n${filledBy}`;
  return [createTable(spec), view];
}

/** Of the view that fills a table. */
export function viewName({ name }: Pick<Table, 'name'>): string {
  return `${name}_view`;
}

export function createTable({ name, kinds, order, hasGeneration, facts }: Table): string {
  const { granularity, settings, engine = 'MergeTree', also = [] } = facts;
  const lines = [
    ...(hasGeneration ? [GENERATION_DDL] : []),
    ...Object.entries(kinds).map(([column, { ddl }]) => `${column} ${ddl}`),
    ...also,
  ];
  const all = {
    ...(granularity === undefined ? {} : { index_granularity: granularity }),
    ...SETTINGS,
    ...settings,
  };
  const list = Object.entries(all).map(([setting, value]) => `    ${setting} = ${value}`);
  return `CREATE TABLE IF NOT EXISTS ${name}
(
    ${lines.join(',\n    ')}
)
ENGINE = ${engine}${hasGeneration ? '\nPARTITION BY generation' : ''}
ORDER BY ${order.length === 1 ? order[0] : `(${order.join(', ')})`}
SETTINGS
${list.join(',\n')}`;
}
