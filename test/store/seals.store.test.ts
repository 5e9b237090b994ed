import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RowReader } from '../../src/core/rowbinary.ts';
import { countsQuery, SEAL_SPANS, type SealSpans, sealCounts } from '../../src/store/seals.ts';
import { openTestStore, type TestStore } from '../support/embedded-store.ts';
import { inShort } from '../support/full.ts';
import { seededRandom } from '../support/random.ts';

/** Sealed counts against the raw rows that they stand for, wherever commits were cut. */

const SMALL: SealSpans = { narrow: 4, wide: 16 };
const ACCOUNTS = ["o'ne", 'two', 'three', 'none'];
const METHODS = ['', '/m.A', '/m.B'];

let t: TestStore;
beforeAll(async () => {
  t = await openTestStore();
});
afterAll(() => t.close());
beforeEach(async () => {
  for (const table of ['account_txs', 'account_tx_counts']) await t.store.command(`TRUNCATE TABLE ${table}`);
});

interface Row {
  readonly account: string;
  readonly height: number;
  readonly method: string;
}

async function insert(rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  const values = rows.map(
    ({ account, height, method }, i) => `('${account.replace("'", "\\'")}', ${height}, ${i}, '${method}')`,
  );
  await t.store.command(
    `INSERT INTO account_txs (account, height, tx_index, method) VALUES ${values.join()}`,
  );
}

/** Txs by account and method, summed as the API does. */
async function counted(height: number, spans: SealSpans): Promise<Record<string, number>> {
  const rows = new RowReader(await t.store.query(countsQuery(ACCOUNTS, height, spans)));
  const sums: Record<string, number> = {};
  while (!rows.done) {
    const key = `${rows.string()} ${rows.string()}`;
    sums[key] = (sums[key] ?? 0) + rows.u64();
  }
  return sums;
}

function countOf(rows: readonly Row[], height: number): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const row of rows) {
    if (row.height > height) continue;
    const key = `${row.account} ${row.method}`;
    sums[key] = (sums[key] ?? 0) + 1;
  }
  return sums;
}

async function sealedRows(): Promise<string[]> {
  const rows = new RowReader(
    await t.store.query(
      'SELECT toString(tuple(account, span, height, method, txs)) FROM account_tx_counts ORDER BY account, span, height, method',
    ),
  );
  const found: string[] = [];
  while (!rows.done) found.push(rows.string());
  return found;
}

describe.each(inShort([1, 2, 3], 3))('commits cut at random (seed %d)', (seed) => {
  it('add up to the raw rows at every checkpoint, also for those who still look at an older one', async () => {
    const random = seededRandom(seed);
    const upTo = (end: number) => random.between(0, end - 1);
    const first = seed === 3 ? 30 : 1;
    const rows: Row[] = [];
    const checkpoints: number[] = [];
    let height = first - 1;
    while (height < first + 50) {
      const from = checkpoints.length === 0 ? 0 : height;
      const added: Row[] = [];
      for (let n = 1 + upTo(9); n > 0; n--) {
        height++;
        for (let i = upTo(4); i > 0; i--) {
          const account = ACCOUNTS[upTo(3)] as string;
          added.push({ account, height, method: METHODS[upTo(3)] as string });
        }
      }
      await insert(added);
      rows.push(...added);
      await sealCounts(t.store, from, height, SMALL);
      checkpoints.push(height);
      for (const at of checkpoints) {
        expect(await counted(at, SMALL), `at ${at} of ${height}`).toEqual(countOf(rows, at));
      }
    }
    const made = await sealedRows();
    expect(made.some((row) => row.includes(',16,'))).toBe(true);
  });
});

describe('the ranges', () => {
  it('are sealed by the commit that completes them and carry their last height', async () => {
    await insert([1, 4, 5, 8, 9].map((height) => ({ account: 'two', height, method: '/m.A' })));
    expect(await sealCounts(t.store, 0, 3, SMALL)).toBe(false);
    expect(await sealCounts(t.store, 3, 4, SMALL)).toBe(true);
    expect(await sealedRows()).toEqual(["('two',4,4,'/m.A',2)"]);
    expect(await sealCounts(t.store, 4, 7, SMALL)).toBe(false);
    expect(await sealCounts(t.store, 7, 9, SMALL)).toBe(true);
    expect(await sealCounts(t.store, 9, 16, SMALL)).toBe(true);
    expect(await sealedRows()).toEqual([
      "('two',4,4,'/m.A',2)",
      "('two',4,8,'/m.A',2)",
      "('two',4,12,'/m.A',1)",
      "('two',16,16,'/m.A',5)",
    ]);
  });

  it('leave less than a narrow range of raw rows and less than a wide one of narrow ranges to be read', async () => {
    const { narrow, wide } = SEAL_SPANS;
    const head = 2 * wide + 3 * narrow - 1;
    await t.store.command(
      `INSERT INTO account_txs (account, height, tx_index, method) SELECT 'two', number, 0, '/m.A' FROM numbers(1, ${head})`,
    );
    await sealCounts(t.store, 0, head);
    const spans = new RowReader(
      await t.store.query(
        'SELECT span, count(), max(height) FROM account_tx_counts GROUP BY span ORDER BY span',
      ),
    );
    expect([spans.u32(), spans.u64(), spans.u64()]).toEqual([
      narrow,
      (2 * wide) / narrow + 2,
      2 * wide + 2 * narrow,
    ]);
    expect([spans.u32(), spans.u64(), spans.u64()]).toEqual([wide, 2, 2 * wide]);
    expect(await counted(head, SEAL_SPANS)).toEqual({ 'two /m.A': head });
    // what is not to be read is not needed
    await t.store.command(
      `DELETE FROM account_txs WHERE height <= ${2 * wide + 2 * narrow} SETTINGS lightweight_deletes_sync = 2`,
    );
    await t.store.command(
      `DELETE FROM account_tx_counts WHERE span = ${narrow} AND height <= ${2 * wide} SETTINGS lightweight_deletes_sync = 2`,
    );
    expect(await counted(head, SEAL_SPANS)).toEqual({ 'two /m.A': head });
  });
});
