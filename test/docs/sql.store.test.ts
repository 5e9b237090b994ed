import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFolderReader } from '../../src/engine/folder-reader.ts';
import type { SqlReader } from '../../src/engine/reader.ts';
import { SECRET_TABLES } from '../../src/store/cursor-keys.ts';
import { quote } from '../../src/store/sql.ts';
import { releaseSharedStore } from '../support/shared-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { copyReferenceStore } from '../support/worlds.ts';

/** docs/sql.md: every table and column stands in it and no other, and its queries run, as `strata sql` runs them. */

const MANUAL = readFileSync(new URL('../../docs/sql.md', import.meta.url), 'utf8');

type Row = Readonly<Record<string, string | number>>;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let reader: SqlReader;

beforeAll(async () => {
  folder = await temporaryFolder();
  const data = join(folder.path, 'data');
  await copyReferenceStore(data);
  await releaseSharedStore();
  reader = await openFolderReader(data, () => {});
}, 180_000);
afterAll(async () => {
  await reader?.close();
  await folder.remove();
});

async function ask(sql: string): Promise<readonly Row[]> {
  const pieces: Uint8Array[] = [];
  const settings = new Map([['output_format_json_quote_64bit_integers', '1']]);
  await reader.read(
    { sql, format: 'JSONEachRow', settings },
    async (bytes) => {
      pieces.push(bytes);
    },
    new AbortController().signal,
  );
  const text = Buffer.concat(pieces).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
}

/** Its rows, by the heading that the query stands under. */
async function run(heading: string): Promise<readonly Row[]> {
  const section = MANUAL.split(`\n### ${heading}\n`)[1]?.split('\n### ')[0] ?? '';
  const query = /```sql\n([\s\S]*?)\n```/.exec(section)?.[1];
  expect(query, `no query under ${heading}`).toBeDefined();
  const rows = await ask(query ?? '');
  expect(rows.length, heading).toBeGreaterThan(0);
  return rows;
}

const sumOf = (rows: readonly Row[], column: string): bigint =>
  rows.reduce((sum, row) => sum + BigInt(row[column] ?? 0), 0n);
/** In JS: a sum of columns that hold 2^255 − 1 wraps around in the engine. */
const total = async (table: string, column: string): Promise<bigint> =>
  sumOf(await ask(`SELECT ${column} FROM ${table}`), column);
const one = async (sql: string): Promise<bigint> => BigInt(Object.values((await ask(sql))[0] ?? {})[0] ?? -1);

describe('the tables', () => {
  /** By table, its columns as the manual lists them. */
  const written = new Map(
    MANUAL.slice(MANUAL.indexOf('\n## Tables of the chain'))
      .split('\n### ')
      .slice(1)
      .map((section) => {
        const columns = [...section.matchAll(/^\| `(\w+)` \| ([^|]+) \| (.*) \|$/gm)];
        expect(columns.filter(([, , , means]) => (means ?? '').trim() === '')).toEqual([]);
        return [/^\w+/.exec(section)?.[0] ?? '', columns.map(([, name, type]) => `${name} ${type}`)] as const;
      }),
  );

  it('stand in the manual with every column and its type, and no other does', async () => {
    const rows = await ask(`SELECT table, groupArray(concat(name, ' ', type)) AS columns FROM (
SELECT c.table AS table, c.name AS name, c.type AS type FROM system.columns AS c
INNER JOIN system.tables AS t ON t.database = c.database AND t.name = c.table
WHERE c.database = currentDatabase() AND t.engine != 'MaterializedView' AND NOT match(c.table, '_(now|history)$')
  AND c.table NOT IN (${SECRET_TABLES.map(quote).join(', ')})
ORDER BY c.table, c.position) GROUP BY table`);
    const stored = rows.map(({ table, columns }) => [table, columns as unknown as string[]] as const);
    expect([...written.keys()].sort()).toEqual(stored.map(([table]) => table).sort());
    for (const [table, columns] of stored)
      expect({ table, columns: written.get(String(table)) }).toEqual({ table, columns });
  });

  it('of modules have views of what readers see, without a generation', async () => {
    const rows = await ask(`SELECT table, groupArray(name) AS columns FROM system.columns
WHERE database = currentDatabase() AND match(table, '_(now|history)$') GROUP BY table`);
    expect(rows.length).toBeGreaterThan(50);
    for (const { columns } of rows) expect(columns).not.toContain('generation');
    for (const { table } of rows) await ask(`SELECT count() FROM ${table}`);
    const newest = await one('SELECT count() FROM positions_now');
    expect(newest).toBe(await one('SELECT uniqExact(asset_id, kind_id, holder) FROM positions'));
    expect(await one('SELECT count() FROM positions_history')).toBeGreaterThan(newest);
    expect(await one('SELECT count() FROM drift_history')).toBe(0n);
  });
});

describe('the queries', () => {
  it('are ten', () => {
    const section = MANUAL.slice(
      MANUAL.indexOf('\n## Ten queries'),
      MANUAL.indexOf('\n## Tables of the chain'),
    );
    expect(section.match(/```sql/g)).toHaveLength(10);
  });

  it('holders over time: the last of each kind is what is now', async () => {
    const rows = await run('Holders over time');
    const last = new Map(rows.map((row) => [`${row.asset_id} ${row.kind_id}`, row]));
    const now = await one('SELECT sum(holder_count) FROM kind_totals_now');
    expect(sumOf([...last.values()], 'holders')).toBe(now);
    expect(now).toBe(await one('SELECT count() FROM positions_now WHERE units > 0'));
  });

  it('income per holder: no more than was distributed, and what was paid without sweeps', async () => {
    const rows = await run('Income per holder');
    const distributed = await total('distributions_history', 'amount');
    const paid = await total('accruals_now', 'total_paid');
    const swept = await total('bridge_income_now', 'swept');
    expect(sumOf(rows, 'claimed')).toBe(paid - swept);
    expect(sumOf(rows, 'claimed') + sumOf(rows, 'accrued')).toBeLessThanOrEqual(distributed);
    expect(sumOf(rows, 'claimed')).toBeGreaterThan(0n);
  });

  it('settlement volumes: of those that are settled', async () => {
    const rows = await run('Settlement volumes');
    expect(sumOf(rows, 'amount')).toBeGreaterThan(0n);
    const settled = await one(
      "SELECT count() FROM typed_events WHERE type LIKE '%EventSettled' AND code = 0",
    );
    expect(await one("SELECT count() FROM settlements_now WHERE status = 'STATUS_SETTLED'")).toBe(settled);
    expect(sumOf(rows, 'settlements')).toBeGreaterThan(0n);
  });

  it('active addresses: of every tx that somebody took part in', async () => {
    const rows = await run('Active addresses');
    expect(sumOf(rows, 'txs')).toBe(await one('SELECT uniqExact(height, tx_index) FROM account_txs'));
  });

  it('gas by message: all gas', async () => {
    const rows = await run('Gas by message');
    expect(sumOf(rows, 'gas')).toBe(await one('SELECT sum(gas_used) FROM txs'));
    expect(sumOf(rows, 'txs')).toBe(await one('SELECT count() FROM txs'));
  });

  it('DEX candles: open and close within high and low', async () => {
    for (const { open, high, low, close, pair } of await run('DEX candles')) {
      expect(pair).toMatch(/^0x[0-9a-f]{40}$/);
      for (const price of [open, close]) {
        expect(Number(price)).toBeLessThanOrEqual(Number(high));
        expect(Number(price)).toBeGreaterThanOrEqual(Number(low));
      }
      expect(Number(low)).toBeGreaterThan(0);
    }
  });

  it('bridge flows: what the routes count', async () => {
    const rows = await run('Bridge flows');
    const out = rows.filter(({ status }) => status === 'in_flight');
    expect(sumOf(out, 'total')).toBe(await total('bridge_routes_now', 'outbound'));
    const into = rows.filter(({ status }) => status === 'completed');
    expect(sumOf(into, 'total')).toBe(await total('bridge_routes_now', 'inbound'));
  });

  it('liquidation payments: what was paid to tiers', async () => {
    const rows = await run('Liquidation payments');
    expect(sumOf(rows, 'paid')).toBe(await total('tier_payments_now', 'cumulative_paid'));
  });

  it('delegation power: units of active delegations', async () => {
    const rows = await run('Delegation power');
    expect(sumOf(rows, 'units')).toBeLessThanOrEqual(
      await total("locks_now WHERE startsWith(ref, 'delegation/')", 'units'),
    );
  });

  it('failed txs by reason: every failed one', async () => {
    const rows = await run('Failed txs by reason');
    expect(sumOf(rows, 'txs')).toBe(await one('SELECT count() FROM txs WHERE code != 0'));
  });

  it('as of a height: the section above them runs too', async () => {
    const section = MANUAL.slice(MANUAL.indexOf('\n## Generations'), MANUAL.indexOf('\n## Ten queries'));
    const query = /```sql\n([\s\S]*?)\n```/.exec(section)?.[1] ?? '';
    const rows = await ask(query.replace('5000', '80'));
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every(({ height }) => Number(height) <= 80)).toBe(true);
  });
});
