import { formatTimeNs } from 'strata-kit/time';
import { asOf } from '../../api/as-of.ts';
import { MAX_LIMIT, parseAddress } from '../../api/params.ts';
import type { RouteContext } from '../../api/route.ts';
import { readAll } from '../../api/rows.ts';
import { RowReader } from '../../core/rowbinary.ts';
import { intLiteral, quote, uintLiteral } from '../../store/sql.ts';
import { QUESTS } from './quests.ts';
import { QUEST_STANDINGS } from './tables.ts';

/** LeaderboardRow of api.md. */
export interface LeaderboardRowJson {
  readonly rank: number;
  readonly address: string;
  readonly evm_address: string | null;
  readonly completed: number;
  readonly reached_height: number;
  readonly reached_at: string;
}

export interface Ranking {
  /** The best of all, as many as an answer may have. */
  readonly rows: readonly LeaderboardRowJson[];
  /** Block time of the height ranked. */
  readonly timeNs: bigint;
}

/** The part of a request's context that it takes. */
export type RankReading = Pick<RouteContext, 'snapshot' | 'chain' | 'query' | 'clock' | 'endMs'>;

/** The newest ranking of a process, made once a minute of block time, whichever requests wait for it. */
export interface Rankings {
  of(context: RankReading): Promise<Ranking>;
}

const MINUTE_NS = 60_000_000_000n;

export function createRankings(): Rankings {
  let newest: { readonly key: string; readonly ranking: Promise<Ranking> } | undefined;

  const start = (key: string, context: RankReading) => {
    const ranking = rank(context).catch((error: unknown) => {
      // the next request tries again
      if (newest?.key === key) newest = undefined;
      throw error;
    });
    newest = { key, ranking };
    return newest;
  };

  return {
    async of(context) {
      const { generations, indexedHeight, latestBlockTimeNs } = context.snapshot;
      const generation = generations.get(QUEST_STANDINGS.module);
      if (generation === undefined || indexedHeight === 0) return { rows: [], timeNs: latestBlockTimeNs };
      // one minute has one first block, whatever has been indexed of it; who is left out may be configured anew
      const key = `${generation} ${minuteOf(latestBlockTimeNs)} ${leftOut(context).join()}`;
      for (;;) {
        const known = newest?.key === key ? newest : undefined;
        const { ranking } = known ?? start(key, context);
        try {
          return await ranking;
        } catch (error) {
          // the request that it ran for has come to its end; this one may have time left
          if (known === undefined || context.clock.nowMs() >= context.endMs) throw error;
        }
      }
    },
  };
}

/** Bech32: the testnet's service accounts, and the chain's module accounts. They have no quests and no rank. */
export function leftOut({ chain }: Pick<RankReading, 'chain'>): readonly string[] {
  return [...new Set([...chain.market.serviceAccounts, ...chain.moduleAccounts])];
}

async function rank(context: RankReading): Promise<Ranking> {
  const { height, timeNs } = await firstOfMinute(context);
  return { rows: await bestAsOf(height, context), timeNs };
}

/** Blocks that are looked at first. */
const FIRST_WINDOW = 256;
const WIDER = 16;

/** The first indexed block of the head's minute. Looks at no more than some times the blocks of that minute. */
async function firstOfMinute({
  snapshot,
  query,
}: RankReading): Promise<{ readonly height: number; readonly timeNs: bigint }> {
  const { indexedHeight, firstHeight, latestBlockTimeNs } = snapshot;
  const minuteNs = minuteOf(latestBlockTimeNs) * MINUTE_NS;
  for (let blocks = FIRST_WINDOW; ; blocks *= WIDER) {
    const from = Math.max(firstHeight, indexedHeight - blocks + 1);
    const rows = await query(
      `SELECT height, time_ns FROM blocks WHERE height >= ${uintLiteral(from)} ` +
        `AND height <= ${uintLiteral(indexedHeight)} AND time_ns >= ${intLiteral(minuteNs)} ORDER BY height LIMIT 1`,
    );
    const [first] = readAll(rows, (row) => ({ height: row.u64(), timeNs: row.i64big() }));
    const found = first ?? { height: indexedHeight, timeNs: latestBlockTimeNs };
    if (found.height > from || from <= firstHeight) return found;
  }
}

function minuteOf(timeNs: bigint): bigint {
  return timeNs / MINUTE_NS;
}

/** An account has a standing for each quest at most, so that the best accounts stand in so many of the first rows. */
const STANDINGS_READ = MAX_LIMIT * QUESTS.length;

/**
 * The best accounts as of a height. Standings stand in the order of the ranking, an account's newer ones before its older
 * ones: it is placed by its first, and reading ends there, however many accounts there are.
 */
async function bestAsOf(
  height: number,
  { snapshot, chain, query }: RankReading,
): Promise<readonly LeaderboardRowJson[]> {
  const left = leftOut({ chain });
  const others = left.length === 0 ? '' : ` AND account NOT IN (${left.map(quote).join(', ')})`;
  const rows = await query(
    `SELECT missing, height, account, time_ns FROM ${QUEST_STANDINGS.name} ` +
      `WHERE ${asOf(snapshot, QUEST_STANDINGS, height)}${others} ` +
      `ORDER BY missing, height, account LIMIT ${uintLiteral(STANDINGS_READ)}`,
  );
  const best = new Map<string, LeaderboardRowJson>();
  const row = new RowReader(rows);
  while (!row.done && best.size < MAX_LIMIT) {
    const [missing, reached, address, timeNs] = [row.u8(), row.u64(), row.string(), row.i64big()];
    if (best.has(address)) continue;
    best.set(address, {
      rank: best.size + 1,
      address,
      evm_address: parseAddress(address, chain.hrp).evmAddress,
      completed: QUESTS.length - missing,
      reached_height: reached,
      reached_at: formatTimeNs(timeNs),
    });
  }
  return [...best.values()];
}
