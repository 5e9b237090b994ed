import { bytesToHex } from 'strata-kit/bytes';
import { sha256Stream } from 'strata-kit/hash';
import { RowReader } from '../core/rowbinary.ts';
import { DECODED_TABLES } from '../core/tables.ts';
import { type Checkpoint, readCheckpoint } from './checkpoints.ts';
import { RANGE_HEIGHTS, type RangeDigest } from './digests.ts';
import { countedRows } from './generations.ts';
import { identifier, quote, uintLiteral } from './sql.ts';
import type { Store } from './store.ts';

/** Every byte of every row is read. */
const SCAN_SECONDS = 36_000;
/** A row count as u64 and a sum of row hashes modulo 2^128. */
const PRINT_BYTES = 24;
const NO_ROWS = new Uint8Array(PRINT_BYTES);

/**
 * As rangeDigests, over the rows as they stand instead of the digests that were stored with them: a range's SHA-256 is
 * over its row count and the sum of a 128-bit hash of its rows in each table of DECODED_TABLES, then, where a table of a
 * module has rows of the range, over its name and theirs, without their generation. The sum knows no order: the order in which a
 * height's accounts were found, which the height digests know, is not stored. One scan a table.
 */
export async function* deepDigests(store: Store): AsyncGenerator<RangeDigest> {
  const checkpoint = await readCheckpoint(store);
  if (checkpoint === undefined) return;
  const { firstHeight, height: lastHeight } = checkpoint;
  const prints: ReadonlyMap<number, Uint8Array>[] = [];
  for (const { name, columns } of DECODED_TABLES) {
    const names = columns.map(([column]) => column);
    prints.push(await printRanges(store, name, names, `height <= ${uintLiteral(lastHeight)}`));
  }
  const derived = await derivedPrints(store, checkpoint);
  const whole = sha256Stream();
  for (let fromHeight = firstHeight; fromHeight <= lastHeight; ) {
    const range = Math.ceil(fromHeight / RANGE_HEIGHTS);
    const toHeight = Math.min(lastHeight, range * RANGE_HEIGHTS);
    const digest = sha256Stream();
    for (const print of prints) {
      const bytes = print.get(range) ?? NO_ROWS;
      digest.update(bytes);
      whole.update(bytes);
    }
    for (const [name, print] of derived) {
      const bytes = print.get(range);
      if (bytes === undefined) continue;
      for (const part of [Buffer.from(`${name}\n`, 'utf8'), bytes]) {
        digest.update(part);
        whole.update(part);
      }
    }
    yield { fromHeight, toHeight, sha256: bytesToHex(digest.digest()) };
    fromHeight = toHeight + 1;
  }
  yield { fromHeight: firstHeight, toHeight: lastHeight, sha256: bytesToHex(whole.digest()) };
}

/** Of the modules' tables that a checkpoint counts, by name. */
async function derivedPrints(
  store: Store,
  checkpoint: Checkpoint,
): Promise<readonly (readonly [table: string, print: ReadonlyMap<number, Uint8Array>])[]> {
  const prints: (readonly [string, ReadonlyMap<number, Uint8Array>])[] = [];
  for (const table of [...checkpoint.rows.keys()].sort()) {
    const counted = countedRows(checkpoint, table);
    if (counted === undefined) continue;
    const columns = new RowReader(
      await store.query(`SELECT groupArray(name) FROM (SELECT name FROM system.columns
WHERE database = currentDatabase() AND table = ${quote(table)} AND default_kind != 'ALIAS' AND name != 'generation'
ORDER BY position)`),
    ).stringArray();
    const where = `height <= ${uintLiteral(checkpoint.height)} AND ${counted}`;
    prints.push([table, await printRanges(store, table, columns, where)]);
  }
  return prints;
}

/** By the number of the range, from 1. */
async function printRanges(
  store: Store,
  table: string,
  columns: readonly string[],
  where: string,
): Promise<ReadonlyMap<number, Uint8Array>> {
  const rows = new RowReader(
    await store.query(
      `SELECT toUInt64(intDiv(height - 1, ${RANGE_HEIGHTS}) + 1) AS range, count(),
sum(reinterpretAsUInt128(sipHash128(${columns.map(identifier).join(', ')})))
FROM ${identifier(table)} WHERE ${where} GROUP BY range`,
      { timeoutSeconds: SCAN_SECONDS },
    ),
  );
  const prints = new Map<number, Uint8Array>();
  while (!rows.done) {
    const range = rows.u64();
    prints.set(range, Uint8Array.from(rows.fixed(PRINT_BYTES)));
  }
  return prints;
}
