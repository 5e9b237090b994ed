import { asOfUnindexed } from '../../api/as-of.ts';
import type { RouteContext } from '../../api/route.ts';
import { readAll } from '../../api/rows.ts';
import { intLiteral, quote, uintLiteral } from '../../store/sql.ts';
import { slotOf } from './chart.ts';
import type { Pool } from './pools-read.ts';
import { DEX_SYNCS } from './tables.ts';

/** The time over which a mean price is taken, up to the head. */
export const MEAN_SECONDS = 1_800;
const MEAN_NS = BigInt(MEAN_SECONDS) * 1_000_000_000n;

/** Logarithms are integers of 2^-40, so that a sum is the same in whatever order the engine adds. */
const LOG_BITS = 40n;
const LOG_ONE = 2n ** LOG_BITS;

/**
 * The mean of log2(reserve1 / reserve0) over the last MEAN_SECONDS before the head, in units of 2^-40. Every Sync counts
 * for as long as it was the last one, to the nanosecond. A pool that is younger counts as if its first reserves had always
 * been there. The pool must have had a Sync with two reserves.
 */
export async function meanLogRatio(
  { snapshot, query }: Pick<RouteContext, 'snapshot' | 'query'>,
  { pair }: Pool,
): Promise<bigint> {
  const headNs = snapshot.latestBlockTimeNs;
  const startNs = headNs - MEAN_NS;
  const slot = uintLiteral(startNs < 0n ? 0n : slotOf(startNs));
  const [start, head] = [intLiteral(startNs), intLiteral(headNs)];
  const place = 'time_ns, height, tx_index, log_index';
  const syncs =
    `SELECT ${place}, reserve0, reserve1 FROM ${DEX_SYNCS.name} ` +
    `WHERE ${asOfUnindexed(snapshot, DEX_SYNCS)} AND pair = ${quote(pair)} AND reserve0 > 0 AND reserve1 > 0`;
  const opening =
    `SELECT * FROM (${syncs} AND slot <= ${slot} AND time_ns <= ${start} ` +
    'ORDER BY pair DESC, slot DESC, height DESC, tx_index DESC, log_index DESC LIMIT 1)';
  const within = `${syncs} AND slot >= ${slot} AND time_ns > ${start} AND time_ns <= ${head}`;
  const log = `toInt64(round((log2(toFloat64(reserve1)) - log2(toFloat64(reserve0))) * ${LOG_ONE}))`;
  const window = `(ORDER BY ${place} ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)`;
  const rows = await query(
    'SELECT toString(sum(toInt128(log) * (until - since))) FROM (' +
      `SELECT ${log} AS log, ` +
      `if(row_number() OVER ${window} = 1, ${start}, time_ns) AS since, ` +
      `leadInFrame(time_ns, 1, toInt64(${head})) OVER ${window} AS until ` +
      `FROM (${opening} UNION ALL ${within}))`,
  );
  const [sum = '0'] = readAll(rows, (row) => row.string());
  return BigInt(sum) / MEAN_NS;
}

/** 2^(log / 2^40) · unit, rounded to the nearest whole number. */
export function priceOfLog(log: bigint, unit: bigint): bigint {
  const whole = log >> LOG_BITS;
  const fraction = Number(log - (whole << LOG_BITS)) / Number(LOG_ONE);
  // 53 bits of the value between 1 and 2; the exponent shifts them
  const scaled = BigInt(Math.round(2 ** fraction * 2 ** 52)) * unit;
  const bits = 52n - whole;
  return bits <= 0n ? scaled << -bits : (scaled + (1n << bits) / 2n) >> bits;
}
