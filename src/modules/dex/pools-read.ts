import { asOf, asOfUnindexed } from '../../api/as-of.ts';
import type { RouteContext } from '../../api/route.ts';
import { readAll } from '../../api/rows.ts';
import { intLiteral, quote, uintLiteral } from '../../store/sql.ts';
import { DAY_NS, type Grid, gridTimes, placesOf, SPANS, type Sync, slotOf } from './chart.ts';
import { DEX_CLOSES, DEX_PAIRS, DEX_SWAPS, DEX_SYNCS } from './tables.ts';

type Reading = Pick<RouteContext, 'snapshot' | 'query'>;

/** Addresses are 0x and 40 lower-case hex digits. */
export interface Pool {
  readonly pair: string;
  readonly token0: string;
}

/** The factory's pair of two tokens, in either order. */
export async function poolOf(
  { snapshot, query }: Reading,
  token: string,
  other: string,
): Promise<Pool | undefined> {
  const tokens = [quote(token), quote(other)];
  const either = [tokens, tokens.toReversed()].map((pair) => `(${pair.join(', ')})`).join(', ');
  const rows = await query(
    `SELECT pair, token0 FROM ${DEX_PAIRS.name} WHERE ${asOf(snapshot, DEX_PAIRS)} ` +
      `AND (token0, token1) IN (${either}) ORDER BY height, tx_index, log_index LIMIT 1`,
  );
  return readAll(rows, (row) => ({ pair: row.string(), token0: row.string() }))[0];
}

/** Of a token each, as DEX_SWAPS adds them up. */
export interface Volumes {
  readonly volume0: bigint;
  readonly volume1: bigint;
  readonly swaps: bigint;
}

/** What a pool's rows say as of the snapshot. */
export interface PoolState {
  /** The first Sync of two reserves, and the last at or before head − 24 h. */
  readonly first: Sync | undefined;
  readonly dayAgo: Sync | undefined;
  /** The last Sync; a reserve may be 0. */
  readonly last: Sync | undefined;
  /** Of time > head − 24 h. */
  readonly volumes24h: Volumes;
}

const NO_VOLUMES: Volumes = { volume0: 0n, volume1: 0n, swaps: 0n };
const HAS_PRICE = 'reserve0 > 0 AND reserve1 > 0';
/** The primary keys. */
const SYNC_ORDER = ['pair', 'slot', 'height', 'tx_index', 'log_index'];
const SWAP_ORDER = ['pair', 'time_ns', 'height', 'tx_index', 'log_index'];

interface Ends {
  readonly name: string;
  readonly columns: string;
  readonly order: readonly string[];
}

const SYNC_ENDS: Ends = {
  name: DEX_SYNCS.name,
  columns: 'reserve0 AS a, reserve1 AS b, toUInt64(0) AS n',
  order: SYNC_ORDER,
};
const SWAP_ENDS: Ends = {
  name: DEX_SWAPS.name,
  columns: 'volume0 AS a, volume1 AS b, swaps AS n',
  order: SWAP_ORDER,
};

/** One row each, found by the primary key. */
export async function poolState({ snapshot, query }: Reading, { pair }: Pool): Promise<PoolState> {
  const headNs = snapshot.latestBlockTimeNs;
  const isOfPair = `pair = ${quote(pair)}`;
  const end = (
    name: string,
    { name: table, columns, order: key }: Ends,
    condition: string,
    order: 'ASC' | 'DESC',
  ): string =>
    `SELECT ${quote(name)} AS name, time_ns, ${columns} FROM (SELECT * FROM ${table} WHERE ${condition} ` +
    `ORDER BY ${key.map((column) => `${column} ${order}`).join(', ')} LIMIT 1)`;
  const upTo = (timeNs: bigint): string => `time_ns <= ${intLiteral(timeNs)} AND ${isOfPair}`;
  // a day before a head of 1970-01-01 is below every slot
  const syncsUpTo = (timeNs: bigint): string =>
    `slot <= ${uintLiteral(timeNs < 0n ? 0n : slotOf(timeNs))} AND ${upTo(timeNs)}`;
  const ofSyncs = asOfUnindexed(snapshot, DEX_SYNCS);
  const ofSwaps = asOfUnindexed(snapshot, DEX_SWAPS);
  const before = headNs - DAY_NS;
  const rows = await query(
    [
      end('first', SYNC_ENDS, `${ofSyncs} AND ${isOfPair} AND ${HAS_PRICE}`, 'ASC'),
      end('day ago', SYNC_ENDS, `${ofSyncs} AND ${syncsUpTo(before)} AND ${HAS_PRICE}`, 'DESC'),
      end('last', SYNC_ENDS, `${ofSyncs} AND ${syncsUpTo(headNs)}`, 'DESC'),
      end('swaps', SWAP_ENDS, `${ofSwaps} AND ${upTo(headNs)}`, 'DESC'),
      end('swaps before', SWAP_ENDS, `${ofSwaps} AND ${upTo(before)}`, 'DESC'),
    ].join(' UNION ALL '),
  );
  const found = new Map(
    readAll(rows, (row) => {
      const name = row.string();
      const [timeNs, a, b] = [row.i64big(), row.u256(), row.u256()];
      const swapCount = row.u64();
      return [name, { timeNs, a, b, swaps: BigInt(swapCount) }] as const;
    }),
  );
  const syncOf = (name: string): Sync | undefined => {
    const row = found.get(name);
    return row === undefined ? undefined : { timeNs: row.timeNs, reserve0: row.a, reserve1: row.b };
  };
  const volumesOf = (name: string): Volumes => {
    const row = found.get(name);
    return row === undefined ? NO_VOLUMES : { volume0: row.a, volume1: row.b, swaps: row.swaps };
  };
  const [all, old] = [volumesOf('swaps'), volumesOf('swaps before')];
  return {
    first: syncOf('first'),
    dayAgo: syncOf('day ago'),
    last: syncOf('last'),
    volumes24h: {
      volume0: BigInt.asUintN(256, all.volume0 - old.volume0),
      volume1: BigInt.asUintN(256, all.volume1 - old.volume1),
      swaps: all.swaps - old.swaps,
    },
  };
}

/**
 * Syncs of two reserves, one a step at most; among them, unless it is the pair's last one, the last at or before each
 * time of the grid.
 */
export async function syncsFor(
  { snapshot, query }: Reading,
  { pair }: Pool,
  grid: Grid,
): Promise<readonly Sync[]> {
  const headNs = snapshot.latestBlockTimeNs;
  const { slots, closes, beforeDay } = placesOf(gridTimes(grid, headNs));
  const isOfPair = `pair = ${quote(pair)}`;
  const buckets = closes.flatMap(({ span, buckets }) => buckets.map((bucket) => `(${span},${bucket})`));
  const days = `span = ${uintLiteral(SPANS.at(-1) ?? 0)} AND bucket < ${uintLiteral(beforeDay)}`;
  const isWanted = buckets.length === 0 ? days : `(span, bucket) IN (${buckets.join()}) OR ${days}`;
  const sources = [
    `SELECT time_ns, height, tx_index, log_index, reserve0, reserve1 FROM ${DEX_SYNCS.name} ` +
      `WHERE ${asOfUnindexed(snapshot, DEX_SYNCS)} AND ${isOfPair} AND slot IN (${slots.join()}) AND ${HAS_PRICE}`,
    `SELECT close_ns, toUInt64(0), toUInt32(0), toUInt32(0), close0, close1 FROM ${DEX_CLOSES.name} ` +
      `WHERE ${asOf(snapshot, DEX_CLOSES)} AND ${isOfPair} AND (${isWanted})`,
  ];
  const step = `least(intDiv(${intLiteral(headNs)} - time_ns, ${intLiteral(grid.stepNs)}), ${intLiteral(grid.steps)})`;
  const rows = await query(
    `SELECT argMax((time_ns, reserve0, reserve1), (time_ns, height, tx_index, log_index)) ` +
      `FROM (${sources.join(' UNION ALL ')}) GROUP BY ${step}`,
  );
  return readAll(rows, (row) => ({ timeNs: row.i64big(), reserve0: row.u256(), reserve1: row.u256() }));
}
