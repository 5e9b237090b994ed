import type { Table } from '../../src/core/table.ts';
import { BAD_BLOCKS, DECODED_TABLES, RECONCILIATION_TABLES, SHARED_TABLES } from '../../src/core/tables.ts';
import { MODULES } from '../../src/modules/modules.ts';

/** docs/schema.md: the tables as entities, drawn from their declarations (`npm run schema:picture`). */
export function schemaPicture(): string {
  const base = [...DECODED_TABLES, BAD_BLOCKS];
  const modules = MODULES.flatMap(({ name, derivation }) => {
    const tables = derivation?.tables ?? [];
    return tables.length === 0 ? [] : [{ name, tables }];
  });
  const keyed = modules.flatMap(({ tables }) => tables.filter(({ key }) => key.length > 0));
  const keyOf = ({ key }: Table): string => [...key].sort().join();
  // the first of those with one key is the record itself, the others say more of it
  const records = keyed.filter((table, i) => keyed.findIndex((other) => keyOf(other) === keyOf(table)) === i);
  return [
    '# Tables',
    '',
    'Made by `npm run schema:picture` from the declarations. `PK` marks what names a record, each row of which is a version of it.',
    'A line leads to the record or the tx that a row names. Rows of every table have a height, and so a block.',
    '',
    section('Base layer', base, []),
    ...modules.map(({ name, tables }) => section(`Module ${name}`, tables, records)),
    section('Of all modules', [...SHARED_TABLES, ...RECONCILIATION_TABLES], []),
  ].join('\n');
}

function section(title: string, tables: readonly Table[], records: readonly Table[]): string {
  const lines = tables.flatMap((table) => [...entity(table), ...relations(table, records)]);
  return [`## ${title}`, '', '```mermaid', 'erDiagram', ...lines, '```', ''].join('\n');
}

function entity({ name, columns, key }: Table): readonly string[] {
  const list = columns.map(([column, type]) => {
    const word = type.replace(/[()]/g, '_').replace(/_$/, '');
    return `    ${word} ${column}${key.includes(column) ? ' PK' : ''}`;
  });
  return [`  ${name} {`, ...list, '  }'];
}

/** Columns that say another thing in each table. */
const OF_MANY_KINDS = new Set(['id', 'account', 'address', 'party']);

/** To the records whose whole key a table has, but for those of a shorter key, and to the tx. */
function relations(table: Table, records: readonly Table[]): readonly string[] {
  const names = new Set(table.columns.map(([column]) => column));
  const isNamed = ({ key }: Table): boolean =>
    !OF_MANY_KINDS.has(key.join()) && key.every((column) => names.has(column));
  const named = records.filter((other) => other.name !== table.name && isNamed(other));
  const others = named.filter(
    (other) =>
      other.key.length < table.key.length || (table.key.length === 0 && other.key.length < names.size),
  );
  const nearest = others.filter(
    ({ key }) => !others.some((o) => o.key.length > key.length && key.every((each) => o.key.includes(each))),
  );
  const lines = nearest.map((other) => `  ${other.name} ||--o{ ${table.name} : "${other.key.join(', ')}"`);
  const isOfTx = table.name !== 'txs' && names.has('tx_index');
  return isOfTx ? [...lines, `  txs ||--o{ ${table.name} : "height, tx_index"`] : lines;
}
