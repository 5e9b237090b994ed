import type { Clock } from '../../core/clock.ts';
import type { Instrument } from '../../core/settings.ts';
import type { Chain } from '../chain.ts';
import type { Documents } from '../launchpad/documents.ts';
import { type DeskAsset, type Lot, readAsset } from './asset.ts';
import { givenBy, type Pot } from './inventory.ts';
import type { Market } from './market.ts';
import { type Prices, pricesOf } from './quote.ts';
import type { Trades } from './trades.ts';
import { coinsAreLow, type Stand, standsOf, unitsAreLow } from './vault.ts';

/** An instrument and its asset. */
export interface Listed {
  readonly symbol: string;
  readonly name: string;
  readonly asset: DeskAsset;
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
  /** Around the pool's price; null on both sides without one, and of an asset that is not active; no ask of what is not sold. */
  prices(listed: Listed, lot: Lot): Promise<Prices>;
  /** Of every lot, without the sides whose inventory runs low. */
  quotes(): Promise<readonly Quote[]>;
}

export interface BookOptions {
  readonly chain: Chain;
  readonly market: Market;
  readonly trades: Trades;
  readonly clock: Clock;
  /** The desk's, bech32. */
  readonly address: string;
  readonly instruments: () => readonly Instrument[];
  /** Of the launchpad, for names. */
  readonly documents: Pick<Documents, 'get'>;
}

/** How long assets and quotes are used again. */
const CACHE_MS = 1_000;
export const NO_PRICES: Prices = { bid: null, ask: null };

export function createBook(options: BookOptions): Book {
  const { chain, market, trades, clock, address, instruments, documents } = options;

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

  async function prices({ asset }: Listed, { share, isSold }: Lot): Promise<Prices> {
    if (!asset.isActive) return NO_PRICES;
    const mid = await market.mid(asset.id);
    if (mid === null) return NO_PRICES;
    const { bid, ask } = pricesOf(mid, share);
    return { bid, ask: isSold ? ask : null };
  }

  const quotes = cached(clock, instruments, async (): Promise<readonly Quote[]> => {
    const all = await listed();
    const pots = new Set(all.flatMap(({ asset }) => asset.lots.flatMap((lot) => potsOf(asset.id, lot))));
    const stands = await standsOf(chain, trades, address, [...pots]);
    return Promise.all(
      all.flatMap((one) =>
        one.asset.lots.map(async (lot) => ({
          symbol: one.symbol,
          name: one.name,
          kind: lot.kind,
          ...stocked(await prices(one, lot), stands, one.asset, lot),
        })),
      ),
    );
  });

  return { listed, prices, quotes };
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
