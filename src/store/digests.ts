import { bytesToHex } from 'strata-kit/bytes';
import { StrataError } from 'strata-kit/errors';
import { sha256Stream } from 'strata-kit/hash';
import { RowReader } from '../core/rowbinary.ts';
import { type Checkpoint, readCheckpoint } from './checkpoints.ts';
import { countedRows } from './generations.ts';
import { findDifferenceUpTo } from './repair.ts';
import { uintLiteral } from './sql.ts';
import type { Store } from './store.ts';

export interface RangeDigest {
  readonly fromHeight: number;
  readonly toHeight: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** Ranges end at multiples of this, so that stores with different first heights have ranges in common. */
export const RANGE_HEIGHTS = 1_000;

type Counted = Pick<Checkpoint, 'firstHeight' | 'height' | 'rows' | 'generations' | 'tableGenerations'>;

/**
 * A SHA-256 over the height digests of each range and, behind them, the modules' digests, then one over all. A store
 * without rows of modules has the lines that it had before there were modules, and a generation is no part of them. Two stores with equal rows give equal lines,
 * however they were filled. Nothing for a store without a commit. `upTo` is a
 * checkpoint of the store, the newest where it is left out.
 *
 * Errors: store_damaged when a table's rows are not as many as the checkpoint counted, or a height has no digest, or
 * two.
 */
export async function* rangeDigests(store: Store, upTo?: Counted): AsyncGenerator<RangeDigest> {
  const checkpoint = upTo ?? (await readCheckpoint(store));
  if (checkpoint === undefined) return;
  const { firstHeight, height: lastHeight } = checkpoint;
  const difference = await findDifferenceUpTo(store, checkpoint);
  if (difference !== undefined) {
    const { table, found, expected } = difference;
    throw new StrataError(
      'store_damaged',
      `Table ${table} has ${found} rows up to height ${lastHeight}, and the checkpoint says ${expected}`,
    );
  }
  const whole = sha256Stream();
  for (let fromHeight = firstHeight; fromHeight <= lastHeight; ) {
    const toHeight = Math.min(lastHeight, Math.ceil(fromHeight / RANGE_HEIGHTS) * RANGE_HEIGHTS);
    const range = sha256Stream();
    const rows = new RowReader(
      await store.query(
        `SELECT height, digest FROM height_digests WHERE height BETWEEN ${fromHeight} AND ${toHeight} ORDER BY height`,
      ),
    );
    let expected = fromHeight;
    while (!rows.done) {
      const height = rows.u64();
      if (height !== expected) break;
      const digest = rows.fixed(32);
      range.update(digest);
      whole.update(digest);
      expected++;
    }
    if (expected !== toHeight + 1 || !rows.done) {
      throw new StrataError(
        'store_damaged',
        `height ${expected} has no digest, or a height before it has two`,
      );
    }
    for (const bytes of await moduleDigests(store, checkpoint, fromHeight, toHeight)) {
      range.update(bytes);
      whole.update(bytes);
    }
    yield { fromHeight, toHeight, sha256: bytesToHex(range.digest()) };
    fromHeight = toHeight + 1;
  }
  yield { fromHeight: firstHeight, toHeight: lastHeight, sha256: bytesToHex(whole.digest()) };
}

const MODULE_DIGESTS = 'module_digests';

/** By height and module: height as u64 LE, the length of the module's name as a byte, its name, its digest. */
async function moduleDigests(
  store: Store,
  checkpoint: Counted,
  fromHeight: number,
  toHeight: number,
): Promise<readonly Uint8Array[]> {
  if (checkpoint.generations.size === 0) return [];
  const rows = new RowReader(
    await store.query(
      `SELECT height, toString(module) AS name, digest FROM ${MODULE_DIGESTS} WHERE height BETWEEN ${uintLiteral(fromHeight)} ` +
        `AND ${uintLiteral(toHeight)} AND ${countedRows(checkpoint, MODULE_DIGESTS)} ORDER BY height, name`,
    ),
  );
  const digests: Uint8Array[] = [];
  while (!rows.done) {
    const height = Buffer.alloc(8);
    height.writeBigUInt64LE(rows.u64big());
    const name = Buffer.from(rows.string(), 'utf8');
    digests.push(Buffer.concat([height, Buffer.from([name.length]), name, rows.fixed(32)]));
  }
  return digests;
}
