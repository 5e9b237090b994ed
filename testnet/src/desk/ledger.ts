import type { Clock } from 'strata-kit/clock';
import type { AppDatabase, DeskTradeRow } from '../database/tables.ts';
import { type Gives, givenBy, type Pot, receivedBy } from './inventory.ts';
import type { Trades } from './trades.ts';

/** What settled trades have moved within the last day, an asset at a time. */
export interface Ledger {
  /** The stored trades, with every one that settles counted here as well. */
  readonly trades: Trades;
  /** Errors: those of the database, at the first call. */
  moved(assetId: string): Promise<Moved>;
}

export interface Moved {
  /** Stable base units of both sides' trades within the last hour. */
  readonly hourlyValue: bigint;
  /** Given less received within the last day. A pot that is not here: 0. */
  readonly given: ReadonlyMap<Pot, bigint>;
}

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * 60;
const PAGE = 5_000;

/** Sums of the trades that settled within a minute. */
interface Minute {
  value: bigint;
  readonly given: Map<Pot, bigint>;
}

/**
 * Sums by minute, so that memory has a bound however many trades there are: 1,440 sums an asset. What settled before the
 * process began is read from the database once. Only trades of listed assets are in there, so assets are few.
 */
export function createLedger(db: AppDatabase, stored: Trades, clock: Clock): Ledger {
  const assets = new Map<string, Map<number, Minute>>();
  let loaded: Promise<void> | undefined;

  function add(trade: Gives & { readonly asset_id: string }, atMs: number, sign = 1n): void {
    const minutes = assets.get(trade.asset_id) ?? new Map<number, Minute>();
    assets.set(trade.asset_id, minutes);
    const at = Math.floor(atMs / MINUTE_MS);
    const minute = minutes.get(at) ?? { value: 0n, given: new Map<Pot, bigint>() };
    minutes.set(at, minute);
    minute.value += sign * BigInt(trade.amount);
    const count = ({ pots, amount }: ReturnType<typeof givenBy>, change: bigint) => {
      for (const pot of pots) minute.given.set(pot, (minute.given.get(pot) ?? 0n) + change * amount);
    };
    count(givenBy(trade), sign);
    count(receivedBy(trade), -sign);
  }

  async function load(): Promise<void> {
    const fromMs = clock.nowMs() - DAY_MINUTES * MINUTE_MS;
    let last: Pick<DeskTradeRow, 'updated_at_ms' | 'id'> = { updated_at_ms: fromMs, id: '' };
    for (;;) {
      const { updated_at_ms, id } = last;
      const rows = await db
        .selectFrom('desk_trades')
        .select(['id', 'asset_id', 'kind_ids', 'side', 'units', 'amount', 'updated_at_ms'])
        .where('status', '=', 'settled')
        .where(({ eb, and, or }) =>
          or([
            eb('updated_at_ms', '>', updated_at_ms),
            and([eb('updated_at_ms', '=', updated_at_ms), eb('id', '>', id)]),
          ]),
        )
        .orderBy('updated_at_ms')
        .orderBy('id')
        .limit(PAGE)
        .execute();
      for (const row of rows) add(row, row.updated_at_ms);
      const end = rows.at(-1);
      if (end === undefined || rows.length < PAGE) return;
      last = end;
    }
  }

  /** A failure is reported to the caller, and the next call tries again. */
  function ready(): Promise<void> {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      assets.clear();
      throw error;
    });
    return loaded;
  }

  return {
    trades: {
      ...stored,
      async end(id, status, more) {
        if (status !== 'settled') return stored.end(id, status, more);
        await ready();
        const row = await stored.find(id);
        if (row === undefined || row.status === 'settled') return stored.end(id, status, more);
        const atMs = clock.nowMs();
        // before the row ends: who looks in between counts it twice rather than never
        add(row, atMs);
        try {
          await stored.end(id, status, more);
        } catch (error) {
          add(row, atMs, -1n);
          throw error;
        }
      },
    },
    async moved(assetId) {
      await ready();
      const now = Math.floor(clock.nowMs() / MINUTE_MS);
      const given = new Map<Pot, bigint>();
      let hourlyValue = 0n;
      const minutes = assets.get(assetId) ?? new Map<number, Minute>();
      for (const [at, minute] of minutes) {
        if (at < now - DAY_MINUTES) {
          minutes.delete(at);
          continue;
        }
        if (at >= now - HOUR_MINUTES) hourlyValue += minute.value;
        for (const [pot, amount] of minute.given) given.set(pot, (given.get(pot) ?? 0n) + amount);
      }
      return { hourlyValue, given };
    },
  };
}
