import { bytesToHex, hexToBytes } from 'strata-kit/bytes';
import { StrataError } from 'strata-kit/errors';
import { RowReader } from '../core/rowbinary.ts';
import { fixedLiteral, intLiteral, quote, uintLiteral } from './sql.ts';
import type { Store } from './store.ts';

/** The last commit: readers see rows at or below its height and no others. */
export interface Checkpoint {
  readonly height: number;
  /** The lowest height that the store holds. */
  readonly firstHeight: number;
  /** 64 hex digits in upper case, as CometBFT prints it. */
  readonly blockHash: string;
  readonly blockTimeNs: bigint;
  /** The chain's height as it was seen at the commit. */
  readonly chainHeight: number;
  /** What the block above must name of this one's results, upper-case hex; absent where it is not known. */
  readonly results?: { readonly hash: string; readonly appHash: string };
  /** Cumulative row counts by table and view target. */
  readonly rows: ReadonlyMap<string, number>;
  /** By module, the generation of its rows that belongs to the checkpoint; empty where modules are off. */
  readonly generations: ReadonlyMap<string, number>;
  /** By table of a module, the generation of the rows that `rows` counts (src/store/generations.ts). */
  readonly tableGenerations: ReadonlyMap<string, number>;
}

/** Undefined for a store without a commit. */
export async function readCheckpoint(store: Store): Promise<Checkpoint | undefined> {
  const [newest] = await readCheckpoints(store, 1);
  return newest;
}

/** The newest checkpoints, at or below `upTo` where it is given; `limit` at most, newest first. */
export async function readCheckpoints(
  store: Store,
  limit: number,
  upTo?: number,
): Promise<readonly Checkpoint[]> {
  const where = upTo === undefined ? '' : `WHERE height <= ${uintLiteral(upTo)} `;
  const rows = new RowReader(
    await store.query(`SELECT height, first_height, block_hash, block_time_ns, chain_height, results_hash, results_app_hash, rows, generations, table_generations
FROM checkpoints ${where}ORDER BY height DESC, written_at DESC LIMIT ${uintLiteral(limit)}`),
  );
  const checkpoints: Checkpoint[] = [];
  while (!rows.done) {
    const position = {
      height: rows.u64(),
      firstHeight: rows.u64(),
      blockHash: bytesToHex(rows.fixed(32)).toUpperCase(),
      blockTimeNs: rows.i64big(),
      chainHeight: rows.u64(),
    };
    const results = { hash: rows.string(), appHash: rows.string() };
    checkpoints.push({
      ...position,
      ...(results.hash === '' ? {} : { results }),
      rows: rows.map(),
      generations: rows.map(),
      tableGenerations: rows.map(),
    });
  }
  return checkpoints;
}

/** No entries, of the type of a checkpoint's maps. */
export const NO_MAP = "CAST(map(), 'Map(String, UInt64)')";

/** How many checkpoints there are at or above a height, and the highest of them (0 for none). */
export async function checkpointsFrom(
  store: Store,
  height: number,
): Promise<{ readonly count: number; readonly height: number }> {
  const rows = new RowReader(
    await store.query(`SELECT count(), max(height) FROM checkpoints WHERE height >= ${uintLiteral(height)}`),
  );
  return { count: rows.u64(), height: rows.u64() };
}

/** Takes back the checkpoints above a height. */
export async function deleteCheckpointsAbove(store: Store, height: number): Promise<void> {
  await store.command(
    `DELETE FROM checkpoints WHERE height > ${uintLiteral(height)} SETTINGS lightweight_deletes_sync = 2`,
  );
}

/** The last write of a commit, after every table's insert. */
export function writeCheckpoint(store: Store, checkpoint: Checkpoint): Promise<void> {
  return insertCheckpoint(store, checkpoint, 'now64(3)');
}

/**
 * Writes a checkpoint that takes the place of the newest one at its height: it says otherwise which of the modules' rows
 * count. The clock may have gone back since that one was written, and the later of the two is what counts.
 */
export function replaceCheckpoint(store: Store, checkpoint: Checkpoint): Promise<void> {
  const before = `(SELECT max(written_at) FROM checkpoints WHERE height = ${uintLiteral(checkpoint.height)})`;
  return insertCheckpoint(store, checkpoint, `greatest(now64(3), ${before} + toIntervalMillisecond(1))`);
}

async function insertCheckpoint(store: Store, checkpoint: Checkpoint, writtenAt: string): Promise<void> {
  const hash = hexToBytes(checkpoint.blockHash);
  if (hash?.length !== 32) throw new StrataError('internal', `${checkpoint.blockHash} is no block hash`);
  await store.command(`INSERT INTO checkpoints (height, first_height, block_hash, block_time_ns, chain_height, results_hash, results_app_hash, rows, generations, table_generations, written_at)
SETTINGS async_insert = 0, insert_deduplicate = 0
SELECT ${uintLiteral(checkpoint.height)}, ${uintLiteral(checkpoint.firstHeight)}, ${fixedLiteral(hash)},
${intLiteral(checkpoint.blockTimeNs)}, ${uintLiteral(checkpoint.chainHeight)}, ${quote(checkpoint.results?.hash ?? '')}, ${quote(checkpoint.results?.appHash ?? '')}, ${mapLiteral(checkpoint.rows)},
${mapLiteral(checkpoint.generations)}, ${mapLiteral(checkpoint.tableGenerations)}, ${writtenAt}`);
}

function mapLiteral(map: ReadonlyMap<string, number>): string {
  if (map.size === 0) return NO_MAP;
  // one text: an expression with a function call an entry takes the engine twice as long to read
  return `JSONExtract(${quote(JSON.stringify(Object.fromEntries(map)))}, 'Map(String, UInt64)')`;
}

/** The chain's height as the indexing process last saw it, for processes that only serve; undefined before. */
export async function readChainHeight(store: Store): Promise<number | undefined> {
  const rows = new RowReader(await store.query('SELECT count(), max(chain_height) FROM source_heads'));
  const count = rows.u64();
  const height = rows.u64();
  return count === 0 ? undefined : height;
}

/** Heights only grow: a lower one than before is kept out by readChainHeight. */
export async function writeChainHeight(store: Store, chainHeight: number): Promise<void> {
  await store.command(`INSERT INTO source_heads (id, chain_height)
SETTINGS async_insert = 0, insert_deduplicate = 0 SELECT 0, ${uintLiteral(chainHeight)}`);
}
