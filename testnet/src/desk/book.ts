import type { Clock } from 'strata-kit/clock';
import type { DeskRisk } from 'strata-kit/desk-risk';
import type { Chain } from '../chain.ts';
import { AppError } from '../errors.ts';
import type { Instrument } from '../instrument.ts';
import type { Documents } from '../launchpad/documents.ts';
import { type DeskAsset, type Lot, readAsset } from './asset.ts';
import { type Caps, hourIsFull } from './caps.ts';
import { largestTrade, priceRefusal } from './guard.ts';
import { givenBy, type Pot } from './inventory.ts';
import type { Market } from './market.ts';
import type { Pause } from './pause.ts';
import { type Prices, pricesOf } from './quote.ts';
import type { Refusal } from './refusals.ts';
import type { Trades } from './trades.ts';
import { coinsAreLow, isWorthLittle, type Stand, standsOf, unitsAreLow } from './vault.ts';

/** An instrument and its asset. */
export interface Listed {
  readonly symbol: string;
  readonly name: string;
  readonly asset: DeskAsset;
}

/** At which prices the desk trades a lot now. */
export interface Terms extends Prices {
  /** Why it trades neither side; undefined when it does. */
  readonly closed: Refusal | undefined;
  /** The largest trade, in stable base units. */
  readonly largest: bigint;
}

/** Whether an asset is traded now. */
export interface Standing {
  readonly listed: Listed;
  /** Undefined: it is quoted. */
  readonly closed: { readonly reason: string; readonly text: string } | undefined;
  readonly largest: bigint;
}

export interface Quote extends Prices {
  readonly symbol: string;
  readonly name: string;
  readonly kind: number;
}

/** What the desk trades, and at which prices. Errors: AppError unavailable. */
export interface Book {
  /** Instruments whose asset the chain has. */
  listed(): Promise<readonly Listed[]>;
  /** Around the pool's price. No ask of what is not sold. No price on either side while the asset is closed. */
  terms(listed: Listed, lot: Lot): Promise<Terms>;
  /** What the desk can give of a lot, within the day's exposure. */
  stands(listed: Listed, lot: Lot): Promise<ReadonlyMap<Pot, Stand>>;
  /** Of every lot, without the sides whose inventory runs low. */
  quotes(): Promise<readonly Quote[]>;
  /** Of every listed asset, also while prices cannot be read. */
  standings(): Promise<readonly Standing[]>;
}

export interface BookOptions {
  readonly chain: Chain;
  readonly market: Market;
  readonly trades: Trades;
  readonly caps: Caps;
  readonly risk: DeskRisk;
  readonly pause: Pick<Pause, 'isPaused'>;
  readonly clock: Clock;
  /** The desk's, bech32. */
  readonly address: string;
  readonly instruments: () => readonly Instrument[];
  /** Of the launchpad, for names. */
  readonly documents: Pick<Documents, 'get'>;
}

/** How long assets and quotes are used again. */
const CACHE_MS = 1_000;
const NO_POOL: Refusal = { reason: 'no_pool', text: 'there is no price: the asset has no pool' };
const PAUSED: Refusal = { reason: 'paused', text: 'the desk is paused by its operator' };
const INACTIVE: Refusal = { reason: 'inactive_asset', text: 'the asset is being liquidated' };

export function createBook(options: BookOptions): Book {
  const { chain, market, trades, caps, risk, pause, clock, address, instruments, documents } = options;

  const listed = cached(clock, instruments, async (): Promise<readonly Listed[]> => {
    const all = await Promise.all(
      instruments().map(async ({ symbol, assetId }) => {
        const asset = await readAsset(chain, assetId);
        if (asset === undefined) return [];
        return [{ symbol, asset, name: nameIn(await documents.get(asset.metaHash)) ?? symbol }];
      }),
    );
    return all.flat();
  });

  async function terms({ asset }: Listed, { share, isSold }: Lot): Promise<Terms> {
    const closedBy = (closed: Refusal): Terms => ({ bid: null, ask: null, closed, largest: 0n });
    if (pause.isPaused()) return closedBy(PAUSED);
    if (!asset.isActive) return closedBy(INACTIVE);
    const pool = await market.pool(asset.id);
    if (pool === null) return closedBy(NO_POOL);
    const unsafe = priceRefusal(pool, risk);
    if (unsafe !== undefined) return closedBy(unsafe);
    const left = await caps.hourLeft(asset.id);
    if (isWorthLittle(left)) return closedBy(hourIsFull(risk.hourlyValue));
    const { bid, ask } = pricesOf(pool.mid, share);
    return { bid, ask: isSold ? ask : null, closed: undefined, largest: largestTrade(pool, risk) };
  }

  const quotes = cached(clock, instruments, async (): Promise<readonly Quote[]> => {
    const all = await listed();
    const pots = new Set(all.flatMap(({ asset }) => asset.lots.flatMap((lot) => potsOf(asset.id, lot))));
    const stands = await standsOf(chain, trades, address, [...pots]);
    const ofEach = await Promise.all(
      all.map(async (one) => {
        const own = await caps.within(one.asset.id, stands);
        return Promise.all(
          one.asset.lots.map(async (lot) => ({
            symbol: one.symbol,
            name: one.name,
            kind: lot.kind,
            ...stocked(await terms(one, lot), own, one.asset, lot),
          })),
        );
      }),
    );
    return ofEach.flat();
  });

  async function standing(one: Listed): Promise<Standing> {
    const [lot] = one.asset.lots;
    if (lot === undefined) return { listed: one, closed: NO_POOL, largest: 0n };
    try {
      const { closed, largest } = await terms(one, lot);
      return { listed: one, closed, largest };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { listed: one, closed: { reason: error.code, text: error.message }, largest: 0n };
    }
  }

  return {
    listed,
    terms,
    quotes,
    stands: async ({ asset }, lot) =>
      caps.within(asset.id, await standsOf(chain, trades, address, potsOf(asset.id, lot))),
    standings: cached(clock, instruments, async () => Promise.all((await listed()).map(standing))),
  };
}

/** Those of both sides. */
export function potsOf(assetId: string, { kindIds }: Pick<Lot, 'kindIds'>): readonly Pot[] {
  const gives = { asset_id: assetId, kind_ids: kindIds.join(','), units: '0', amount: '0' };
  return [...givenBy({ ...gives, side: 'sell' }).pots, ...givenBy({ ...gives, side: 'buy' }).pots];
}

/** The prices without the sides that run low. */
export function stocked(
  { bid, ask }: Prices,
  stands: ReadonlyMap<Pot, Stand>,
  asset: DeskAsset,
  lot: Lot,
): Prices {
  const [coins, ...units] = potsOf(asset.id, lot).map(
    (pot) => stands.get(pot) ?? { free: 0n, promised: 0n, total: 0n },
  );
  return {
    bid: coins === undefined || coinsAreLow(coins) ? null : bid,
    ask: ask === null || unitsAreLow(units, ask, asset.decimals) ? null : ask,
  };
}

function nameIn(document: string | undefined): string | undefined {
  if (document === undefined) return undefined;
  const { name } = JSON.parse(document) as { readonly name?: unknown };
  return typeof name === 'string' ? name : undefined;
}

/** One answer for all who ask within a second, about as many instruments; a failure is not kept. */
function cached<T>(
  clock: Clock,
  instruments: BookOptions['instruments'],
  ask: () => Promise<T>,
): () => Promise<T> {
  let known: { readonly atMs: number; readonly count: number; readonly answer: Promise<T> } | undefined;
  return () => {
    const count = instruments().length;
    if (known?.count === count && clock.nowMs() - known.atMs < CACHE_MS) return known.answer;
    const mine = { atMs: clock.nowMs(), count, answer: ask() };
    known = mine;
    mine.answer.catch(() => {
      if (known === mine) known = undefined;
    });
    return mine.answer;
  };
}
