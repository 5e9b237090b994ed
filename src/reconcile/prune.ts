import { RowReader } from '../core/rowbinary.ts';
import { RECONCILIATION_CHECKS } from '../core/tables.ts';
import { CHECKS, type CheckName } from '../modules/reconciliation/checks.ts';
import { quote, uintLiteral } from '../store/sql.ts';
import type { Store } from '../store/store.ts';

/** How long rows that agree are kept once newer ones have followed them; the sequence counts milliseconds. */
const KEPT_MS = 3_600_000;
const MAX_HEIGHTS = 1_000;

/**
 * Takes rows out that agree, are of runs of more than an hour ago, and lie below the newest row of each subject: what
 * they tell stands in their runs' rows. Rows that do not agree stay for good.
 */
export async function pruneChecks(store: Store, sequence: number): Promise<void> {
  if (sequence <= KEPT_MS) return;
  for (const check of CHECKS) {
    const due = `${await dueRows(store, check)} AND sequence <= ${uintLiteral(sequence - KEPT_MS)}`;
    const [count = 0] = await numbers(store, `SELECT count() FROM ${due}`);
    if (count > 0) await store.command(`DELETE FROM ${due} SETTINGS lightweight_deletes_sync = 2`);
  }
}

/** `table WHERE …`: rows that agree and were followed by newer ones of all subjects. */
async function dueRows(store: Store, check: CheckName): Promise<string> {
  const rows = `${RECONCILIATION_CHECKS.name} WHERE check = ${quote(check)}`;
  const subject = 'asset_id, kind_id, subject';
  // where a subject's newest row does not agree it stays anyway
  const [below = 0] = await numbers(
    store,
    `SELECT min(newest) FROM (SELECT max(height) AS newest, argMax(agree, (height, sequence)) AS agrees FROM ${rows} ` +
      `GROUP BY ${subject}) WHERE agrees = 1`,
  );
  // until a merge drops what was replaced, a row that agrees may hide one that does not
  const hiding = await numbers(
    store,
    `SELECT DISTINCT height FROM (SELECT height FROM ${rows} GROUP BY ${subject}, height ` +
      `HAVING argMax(agree, sequence) = 1 AND min(agree) = 0) LIMIT ${MAX_HEIGHTS}`,
  );
  if (hiding.length === MAX_HEIGHTS) return `${rows} AND 0`;
  const shown = hiding.length === 0 ? '' : ` AND height NOT IN (${hiding.join(', ')})`;
  return `${rows} AND agree = 1 AND height < ${uintLiteral(below)}${shown}`;
}

async function numbers(store: Store, sql: string): Promise<readonly number[]> {
  const rows = new RowReader(await store.query(sql));
  const found: number[] = [];
  while (!rows.done) found.push(rows.u64());
  return found;
}
