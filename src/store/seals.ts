import { identifier, quote, uintLiteral } from './sql.ts';
import type { Store } from './store.ts';

/**
 * Sealed counts: an account's txs by method over ranges of heights that are complete, so that a total need not count
 * every row of the account. Ranges lie on a fixed grid: one of span s ends at each multiple of s. A commit that
 * completes ranges inserts their counts before its checkpoint, and each row carries its range's last height, which is
 * above the checkpoint before and at or below the new one: repair and readers treat the rows as any of that commit.
 *
 * Up to a checkpoint h an account's total is the rows of the wide span up to h's last multiple of it, those of the
 * narrow span from there to its own last multiple, and the raw rows above. So it reads less than `narrow` heights
 * of raw rows and `wide ÷ narrow` narrow ranges, however long the chain is.
 */

export const SEALED_COUNTS = 'account_tx_counts';
const RAW_ROWS = 'account_txs';

/** Heights in a range of each kind; the wide one is a multiple of the narrow one. */
export interface SealSpans {
  readonly narrow: number;
  readonly wide: number;
}

export const SEAL_SPANS: SealSpans = { narrow: 256, wide: 65_536 };

const INSERT_SETTINGS =
  'SETTINGS async_insert = 0, insert_deduplicate = 0, max_threads = 1, max_insert_threads = 1, ' +
  // accounts are in order, so that only one is held at a time
  'optimize_aggregation_in_order = 1';

/** The last height up to which ranges of this span are complete at a height. */
export function sealedHeight(height: number, span: number): number {
  return height - (height % span);
}

/**
 * Inserts the counts of the ranges that are complete at `toHeight` and were not at `fromHeight`, which is 0 before the
 * first commit. Every row up to `toHeight` must be there. False when no range was completed.
 */
export async function sealCounts(
  store: Store,
  fromHeight: number,
  toHeight: number,
  spans: SealSpans = SEAL_SPANS,
): Promise<boolean> {
  const narrow = newRanges(spans.narrow, fromHeight, toHeight);
  if (narrow === undefined) return false;
  await store.command(insertRanges(spans.narrow, 'count()', RAW_ROWS, narrow));
  const wide = newRanges(spans.wide, fromHeight, toHeight);
  if (wide !== undefined) {
    const ofNarrow = `span = ${uintLiteral(spans.narrow)} AND ${wide}`;
    await store.command(insertRanges(spans.wide, 'sum(txs)', SEALED_COUNTS, ofNarrow));
  }
  return true;
}

function newRanges(span: number, fromHeight: number, toHeight: number): string | undefined {
  const from = sealedHeight(fromHeight, span);
  const to = sealedHeight(toHeight, span);
  return from === to ? undefined : `height > ${uintLiteral(from)} AND height <= ${uintLiteral(to)}`;
}

function insertRanges(span: number, counted: string, table: string, where: string): string {
  const width = uintLiteral(span);
  return `INSERT INTO ${identifier(SEALED_COUNTS)} (account, span, height, method, txs)
${INSERT_SETTINGS}
SELECT account, ${width}, (intDiv(height - 1, ${width}) + 1) * ${width} AS last, method, ${counted}
FROM ${identifier(table)} WHERE ${where} GROUP BY account, method, last`;
}

/**
 * SELECT of (account String, method String, txs UInt64) whose rows add up to the accounts' txs up to a checkpoint. Each
 * account and method may stand in several rows. `sealed`: whether the checkpoint counts sealed rows.
 */
export function countsQuery(
  accounts: readonly string[],
  height: number,
  spans: SealSpans = SEAL_SPANS,
): string {
  const ofAccounts = `account IN (${accounts.map(quote).join(', ')})`;
  const narrowEnd = sealedHeight(height, spans.narrow);
  const wideEnd = sealedHeight(height, spans.wide);
  const above = (end: number) => (end === 0 ? '' : ` AND height > ${uintLiteral(end)}`);
  const raw =
    `SELECT account, toString(method), count() FROM ${identifier(RAW_ROWS)} ` +
    `WHERE ${ofAccounts}${above(narrowEnd)} AND height <= ${uintLiteral(height)} GROUP BY account, method`;
  if (narrowEnd === 0) return raw;
  const ofNarrow = `span = ${uintLiteral(spans.narrow)}${above(wideEnd)} AND height <= ${uintLiteral(narrowEnd)}`;
  const ofWide = `span = ${uintLiteral(spans.wide)} AND height <= ${uintLiteral(wideEnd)}`;
  const ranges = wideEnd === 0 ? ofNarrow : `(${ofNarrow} OR ${ofWide})`;
  return (
    `SELECT account, toString(method), sum(txs) FROM ${identifier(SEALED_COUNTS)} ` +
    `WHERE ${ofAccounts} AND ${ranges} GROUP BY account, method UNION ALL ${raw}`
  );
}
