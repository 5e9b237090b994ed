import { bytesToHex } from 'strata-kit/bytes';
import { RowReader } from '../core/rowbinary.ts';
import { BAD_BLOCKS } from '../core/tables.ts';
import { uintLiteral } from './sql.ts';
import type { Store } from './store.ts';

/** Blocks that are in the store without the results that could not be used. */

/** So many heights are listed. */
export const MAX_LISTED_BAD_BLOCKS = 1_000;

export interface BadBlockList {
  readonly count: number;
  /** The lowest MAX_LISTED_BAD_BLOCKS, in order. */
  readonly heights: readonly number[];
}

export const NO_BAD_BLOCKS: BadBlockList = { count: 0, heights: [] };

export interface BadBlockRow {
  readonly height: number;
  readonly reason: string;
  readonly message: string;
  readonly node: string;
  /** Lower-case hex. */
  readonly resultsSha256: string;
}

/** Those up to a height. */
export async function listBadBlocks(store: Store, upTo: number): Promise<BadBlockList> {
  const upToHeight = `FROM ${BAD_BLOCKS.name} WHERE height <= ${uintLiteral(upTo)}`;
  const count = new RowReader(await store.query(`SELECT count() ${upToHeight}`)).u64();
  if (count === 0) return NO_BAD_BLOCKS;
  const rows = new RowReader(
    await store.query(
      `SELECT height ${upToHeight} ORDER BY height LIMIT ${uintLiteral(MAX_LISTED_BAD_BLOCKS)}`,
    ),
  );
  const heights: number[] = [];
  while (!rows.done) heights.push(rows.u64());
  return { count, heights };
}

/** The lowest rows from one height to another, both included. */
export async function readBadBlocks(
  store: Store,
  fromHeight: number,
  toHeight: number,
  limit: number,
): Promise<readonly BadBlockRow[]> {
  const rows = new RowReader(
    await store.query(
      `SELECT height, toString(reason), message, toString(node), results_sha256 FROM ${BAD_BLOCKS.name} ` +
        `WHERE height BETWEEN ${uintLiteral(fromHeight)} AND ${uintLiteral(toHeight)} ` +
        `ORDER BY height LIMIT ${uintLiteral(limit)}`,
    ),
  );
  const found: BadBlockRow[] = [];
  while (!rows.done) {
    found.push({
      height: rows.u64(),
      reason: rows.string(),
      message: rows.string(),
      node: rows.string(),
      resultsSha256: bytesToHex(rows.fixed(32)),
    });
  }
  return found;
}

/** Whether a height is one of them, or lies where they are too many to be listed. */
export function mayBeBad({ count, heights }: BadBlockList, height: number): boolean {
  if (heights.includes(height)) return true;
  const last = heights.at(-1);
  return count > heights.length && last !== undefined && height > last;
}

/** With the heights of a commit, which are above those that are there. */
export function withHeights(list: BadBlockList, heights: readonly number[]): BadBlockList {
  if (heights.length === 0) return list;
  return {
    count: list.count + heights.length,
    heights: [...list.heights, ...heights].slice(0, MAX_LISTED_BAD_BLOCKS),
  };
}
