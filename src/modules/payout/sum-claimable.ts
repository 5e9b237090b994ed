import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import { asOf } from '../../api/as-of.ts';
import type { RouteContext } from '../../api/route.ts';
import { readAll } from '../../api/rows.ts';
import { RowReader } from '../../core/rowbinary.ts';
import { quote, uintLiteral } from '../../store/sql.ts';
import { POSITIONS } from '../rights/tables.ts';
import { pendingIncome } from './income.ts';
import type { Accrual } from './state.ts';
import { INCOME_ROUTES, SETTLED_INCOME } from './tables.ts';

/**
 * sum_claimable (modules.md rule 5): what all bases of a kind could claim of a denom.
 *
 * A touch moves what is pending to what is accrued, and a claim takes from it what total_paid grows by. So
 * sum_claimable + total_paid changes with distributions alone: it is reckoned once for each, over every basis, and kept.
 */
export async function sumClaimable(context: SumReading, accrual: Accrual): Promise<bigint> {
  return (await context.kept(createEarnedSums).of(context, accrual)) - accrual.totalPaid;
}

/** The part of a request's context that it takes. */
export type SumReading = Pick<RouteContext, 'snapshot' | 'query' | 'gather' | 'kept' | 'clock' | 'endMs'>;

/** Accruals whose sums are kept. */
const MAX_KEPT = 10_000;
/** Sums that were begun and not finished; a request goes on where one before it had to stop. */
const MAX_BEGUN = 100;
/** Accounts a query, on average. */
const CHUNK_ACCOUNTS = 16_384;
const ONE_THREAD = 'SETTINGS max_threads = 1';
/** After so many bases other work has its turn. */
const TURN_ROWS = 1_000;

interface EarnedSums {
  /** What has been earned up to the accrual's last distribution: claimable and paid. */
  of(context: SumReading, accrual: Accrual): Promise<bigint>;
}

/** Where the bases of a side stand. */
interface Side {
  readonly table: typeof POSITIONS | typeof INCOME_ROUTES;
  readonly account: string;
  readonly ref: string;
  readonly units: string;
}

const SIDES: readonly Side[] = [
  { table: POSITIONS, account: 'holder', ref: "''", units: 'units - routed' },
  { table: INCOME_ROUTES, account: 'beneficiary', ref: 'ref', units: 'units' },
];

/** A sum under way, as of the height at which it began. */
interface Begun {
  readonly accrual: Accrual;
  readonly snapshot: RouteContext['snapshot'];
  side: number;
  /** Where the side's chunks end; the last one has no end. Undefined until they are known. */
  bounds: readonly string[] | undefined;
  /** The next one's number. */
  chunk: number;
  sum: bigint;
  running: Promise<bigint> | undefined;
}

function createEarnedSums(): EarnedSums {
  const kept = new LRUCache<string, bigint>({ max: MAX_KEPT });
  const begun = new LRUCache<string, Begun>({ max: MAX_BEGUN });
  // long sums take turns: together they would take every session that answers are read with
  const later = new PQueue({ concurrency: 1 });

  const run = async (key: string, state: Begun, context: SumReading): Promise<bigint> => {
    let isFirst = true;
    while (state.side < SIDES.length) {
      const chunk = () => addChunk(state, context);
      if (isFirst) await chunk();
      else await later.add(chunk);
      isFirst = false;
    }
    const earned = state.sum + state.accrual.totalPaid;
    kept.set(key, earned);
    begun.delete(key);
    return earned;
  };

  return {
    async of(context, accrual) {
      const { assetId, kindId, denom, distributions } = accrual;
      const generation = context.snapshot.generations.get('payout') ?? 0;
      const key = [generation, assetId, kindId, denom, distributions].join(' ');
      for (;;) {
        const earned = kept.get(key);
        if (earned !== undefined) return earned;
        const known = begun.get(key);
        const state = known ?? {
          accrual,
          snapshot: context.snapshot,
          side: 0,
          bounds: undefined,
          chunk: 0,
          sum: 0n,
          running: undefined,
        };
        if (known === undefined) begun.set(key, state);
        const isOwn = state.running === undefined;
        state.running ??= run(key, state, context).finally(() => {
          state.running = undefined;
        });
        try {
          return await state.running;
        } catch (error) {
          // the request that it ran for has come to its end; this one has time left
          if (isOwn || context.clock.nowMs() >= context.endMs) throw error;
        }
      }
    },
  };
}

/** Adds the bases of the next accounts, or looks where the chunks of a side end. */
async function addChunk(state: Begun, { query }: SumReading): Promise<void> {
  const side = SIDES[state.side];
  if (side === undefined) return;
  const { accrual, snapshot } = state;
  const ofKind = (table: Side['table'] | typeof SETTLED_INCOME) =>
    `${asOf(snapshot, table)} AND asset_id = ${quote(accrual.assetId)} AND kind_id = ${uintLiteral(accrual.kindId)}`;
  if (state.bounds === undefined) {
    const rows = await query(
      `SELECT DISTINCT ${side.account} AS account FROM ${side.table.name} WHERE ${ofKind(side.table)} ` +
        `AND cityHash64(account) % ${uintLiteral(CHUNK_ACCOUNTS)} = 0 ORDER BY account ${ONE_THREAD}`,
    );
    state.bounds = readAll(rows, (row) => row.string());
    state.chunk = 0;
  }
  const [after, last] = [state.bounds[state.chunk - 1], state.bounds[state.chunk]];
  const within = (column: string) =>
    `${after === undefined ? '' : ` AND ${column} > ${quote(after)}`}${last === undefined ? '' : ` AND ${column} <= ${quote(last)}`}`;
  const bases =
    `SELECT ${side.account} AS account, ${side.ref} AS route, argMax(${side.units}, height) AS basis ` +
    `FROM ${side.table.name} WHERE ${ofKind(side.table)}${within(side.account)} GROUP BY account, route`;
  const settled =
    'SELECT account, ref, argMax(last_index, height) AS settled_to, argMax(accrued, height) AS settled ' +
    `FROM ${SETTLED_INCOME.name} WHERE ${ofKind(SETTLED_INCOME)}${within('account')} ` +
    `AND denom = ${quote(accrual.denom)} GROUP BY account, ref`;
  const rows = await query(
    `SELECT basis, settled_to, settled FROM (${bases}) AS b ANY LEFT JOIN (${settled}) AS s ` +
      `ON b.account = s.account AND b.route = s.ref ${ONE_THREAD}`,
  );
  const found = await sumOf(rows, accrual.index);
  state.sum += found;
  state.chunk++;
  if (state.chunk > state.bounds.length) {
    state.side++;
    state.bounds = undefined;
  }
}

/** Over rows of (basis Int256, last_index String, accrued Int256); no last_index where a basis was never settled. */
async function sumOf(rows: Uint8Array, index: bigint): Promise<bigint> {
  let sum = 0n;
  let lastText = '';
  let lastIndex = 0n;
  const row = new RowReader(rows);
  for (let read = 1; !row.done; read++) {
    const units = row.i256();
    const text = row.string();
    // many were settled at the same time
    if (text !== lastText) lastIndex = BigInt(text);
    lastText = text;
    sum += pendingIncome(units, index, lastIndex) + row.i256();
    if (read % TURN_ROWS === 0) await setImmediate();
  }
  return sum;
}
