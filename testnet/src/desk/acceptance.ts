import { LRUCache } from 'lru-cache';
import type PQueue from 'p-queue';
import type { Logger } from 'pino';
import type { Clock } from 'strata-kit/clock';
import type { Chain } from '../chain.ts';
import { AppError } from '../errors.ts';
import type { Indexer } from '../indexer.ts';
import { type Book, type Listed, stocked, type Terms } from './book.ts';
import type { Caps } from './caps.ts';
import type { Dispatch } from './dispatch.ts';
import { givenBy, type Pot } from './inventory.ts';
import { amountOf, MAX_TRADE, type Prices } from './quote.ts';
import type { Refusal, Refusals } from './refusals.ts';
import { acceptMessage, type Fit, fitOf, readSettlement } from './settlement.ts';
import type { NewTrade, Trades } from './trades.ts';
import { runsLow, type Stand, shortage } from './vault.ts';

/**
 * Settlements that others have proposed to the desk: accepted when they are a trade at its quote or better. While the desk is
 * paused each is refused as one without a quote, and is looked at again when there is one.
 */
export interface Acceptance {
  /** Looks once. Errors: AppError unavailable. */
  round(): Promise<void>;
}

export interface AcceptanceOptions {
  readonly chain: Chain;
  readonly indexer: Indexer;
  /** The desk's, bech32. */
  readonly address: string;
  readonly book: Book;
  readonly trades: Trades;
  readonly caps: Caps;
  readonly refusals: Refusals;
  readonly dispatch: Dispatch;
  readonly line: PQueue;
  readonly clock: Clock;
  readonly log: Logger;
  /** After a try that no block took; each of a settlement doubles the next, up to ten minutes. */
  readonly pauseMs: number;
}

/** The indexer's pages of pending ones, newest first, and how many of them are read from the chain in a round. */
const MAX_PAGES = 3;
const MAX_READS = 20;
const MAX_IN_FLIGHT = 10;
/** That the chain refuses. A try that no block took is not its word: such tries end with the settlement. */
const MAX_ATTEMPTS = 3;
const MAX_PAUSE_MS = 600_000;
/** Of those in flight, that no block took before: they hold inventory as every other does. */
const MAX_RETRIES_IN_FLIGHT = 5;
const REMEMBERED = 10_000;
/** Too late to be in a block before it expires. */
const LAST_MOMENT_NS = 10_000_000_000n;

/** How long one is left alone: for good, while its lot is quoted so or the desk has so much of it, or for a while. */
type Rest =
  | { readonly until: 'never' | 'next round' }
  | { readonly until: 'time'; readonly atMs: number }
  | {
      readonly until: 'quote' | 'inventory';
      readonly assetId: string;
      readonly kind: number;
      readonly seen: string;
    };

/** How a lot stands: its quote, inventory included, and that inventory. */
interface Look {
  readonly terms: Terms;
  /** Its prices, without the sides that run low. */
  readonly quote: Prices;
  readonly stands: ReadonlyMap<Pot, Stand>;
}
type Looks = Map<Fit['lot'], Promise<Look>>;
const NEVER: Rest = { until: 'never' };
const LATER: Rest = { until: 'next round' };
/** Rounds before a trade that was one too many is looked at again. */
const CAPPED_ROUNDS = 5;

export function createAcceptance(options: AcceptanceOptions): Acceptance {
  const { chain, indexer, address, book, trades, caps, refusals, dispatch, line, clock, log } = options;
  const rests = new LRUCache<string, Rest>({ max: REMEMBERED });
  /** The next one of each that no block took. */
  const pausesMs = new LRUCache<string, number>({ max: REMEMBERED });
  const running = new Set<string>();

  async function pendingIds(): Promise<readonly string[]> {
    const ids: string[] = [];
    let cursor: string | null = null;
    for (let page = 0; page < MAX_PAGES; page++) {
      const more: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const answer = (await indexer.get(
        `/v1/settlements?party=${address}&status=pending&limit=100${more}`,
      )) as
        | { settlements?: readonly { id?: unknown; counterparty?: unknown }[]; next_cursor?: string | null }
        | undefined;
      for (const { id, counterparty } of answer?.settlements ?? []) {
        if (counterparty === address && /^\d{1,15}$/.test(String(id))) ids.push(String(id));
      }
      cursor = answer?.next_cursor ?? null;
      if (cursor === null) break;
    }
    return ids;
  }

  /** Now. */
  async function lookAt({ listed, lot }: Pick<Fit, 'listed' | 'lot'>): Promise<Look> {
    const [terms, stands] = [await book.terms(listed, lot), await book.stands(listed, lot)];
    return { terms, quote: stocked(terms, stands, listed.asset, lot), stands };
  }

  /** `looks`: this round's, one a lot, however many settlements wait for one to change. */
  async function isRefused(id: string, listed: readonly Listed[], looks: Looks): Promise<boolean> {
    const rest = rests.get(id);
    if (rest === undefined) return false;
    if (rest.until === 'time') return clock.nowMs() < rest.atMs;
    if (rest.until !== 'quote' && rest.until !== 'inventory') return true;
    const one = listed.find(({ asset }) => asset.id === rest.assetId);
    const lot = one?.asset.lots.find(({ kind }) => kind === rest.kind);
    if (one === undefined || lot === undefined) return false;
    const look = looks.get(lot) ?? lookAt({ listed: one, lot });
    looks.set(lot, look);
    return rest.seen === textOf(await look, rest.until);
  }

  /** In the line. Reserves what it takes, or says why not. */
  async function judge(id: string, listed: readonly Listed[]): Promise<NewTrade | Rest> {
    const before = await trades.find(rowId(id));
    // of an earlier process: what became of it is not known yet
    if (before?.status === 'reserved' || before?.status === 'signed') return LATER;
    const hasFailed = before?.status === 'failed';
    if (before !== undefined && before.status !== 'released' && !hasFailed) return NEVER;
    if (hasFailed && before.attempts >= MAX_ATTEMPTS) return NEVER;
    const settlement = await readSettlement(chain, id);
    if (settlement?.status !== 'STATUS_PENDING' || settlement.counterparty !== address) return NEVER;
    const { timeNs } = await chain.node.status();
    if (settlement.expiryNs <= timeNs + LAST_MOMENT_NS) return NEVER;
    const fit = fitOf(settlement, listed, chain.facts.stableDenom);
    if (typeof fit === 'string') {
      refusals.note('proposal', { reason: 'form', text: fit }, { settlement: id });
      return NEVER;
    }
    const { asset } = fit.listed;
    const look = await lookAt(fit);
    const { terms, quote, stands } = look;
    const restUntil = (until: 'quote' | 'inventory'): Rest => {
      return { until, assetId: asset.id, kind: fit.lot.kind, seen: textOf(look, until) };
    };
    const refuse = (refusal: Refusal, rest = restUntil('quote')): Rest => {
      refusals.note('proposal', refusal, { settlement: id, symbol: fit.listed.symbol });
      return rest;
    };
    if (terms.closed !== undefined) return refuse(terms.closed);
    const price = fit.side === 'buy' ? quote.ask : quote.bid;
    if (price === null) return refuse(noSide(fit, look));
    const value = amountOf(fit.side, price, fit.units, asset.decimals);
    if (value > MAX_TRADE || fit.amount === 0n) {
      return refuse({ reason: 'trade_size', text: 'it is above the largest trade, or worth nothing' });
    }
    if (fit.side === 'buy' ? fit.amount < value : fit.amount > value) {
      return refuse({ reason: 'price', text: 'its price is worse than the quote' });
    }
    if (value > terms.largest) {
      return refuse({ reason: 'pool_share', text: 'it is too large for what the pool holds' });
    }
    const trade: NewTrade = {
      ...{ id: rowId(id), role: 'accept', settlement_id: id, address: settlement.proposer },
      ...{
        symbol: fit.listed.symbol,
        asset_id: asset.id,
        kind: fit.lot.kind,
        kind_ids: fit.lot.kindIds.join(','),
      },
      ...{ side: fit.side, units: String(fit.units), price: String(price), amount: String(fit.amount) },
      attempts: before === undefined ? 1 : before.attempts + (hasFailed ? 1 : 0),
    };
    const short = shortage(stands, trade, { isProposal: false });
    if (short !== undefined) return refuse(short, restUntil('inventory'));
    const capped = await caps.refusal(trade);
    if (capped !== undefined) {
      const atMs = clock.nowMs() + CAPPED_ROUNDS * options.pauseMs;
      return refuse(capped, { until: 'time', atMs });
    }
    await dispatch.reserve(trade);
    // should the chain refuse it, it is looked at again when the quote changes
    rests.set(id, restUntil('quote'));
    return trade;
  }

  async function consider(id: string, listed: readonly Listed[]): Promise<void> {
    const judged = await line.add(() => judge(id, listed));
    if ('until' in judged) {
      if (judged !== LATER) rests.set(id, judged);
      return;
    }
    running.add(id);
    dispatch
      .send(judged, acceptMessage(chain, address, id))
      .catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'unavailable') pause(id);
        const level = error instanceof AppError ? 'info' : 'error';
        log[level]({ err: error, settlement: id }, `settlement ${id} could not be accepted`);
      })
      .finally(() => running.delete(id));
  }

  /** No block took it, or nobody knows yet. */
  function pause(id: string): void {
    const pauseMs = pausesMs.get(id) ?? options.pauseMs;
    pausesMs.set(id, Math.min(pauseMs * 2, MAX_PAUSE_MS));
    rests.set(id, { until: 'time', atMs: clock.nowMs() + pauseMs });
  }

  return {
    async round() {
      const listed = await book.listed();
      if (listed.length === 0) return;
      const ids = (await pendingIds()).filter((id) => !running.has(id));
      const fresh = ids.filter((id) => !rests.has(id));
      const again = ids.filter((id) => !['never', undefined].includes(rests.get(id)?.until));
      const retried = [...running].filter((id) => pausesMs.has(id)).length;
      let retries = MAX_RETRIES_IN_FLIGHT - retried;
      const looks: Looks = new Map();
      let reads = 0;
      for (const id of [...fresh, ...again]) {
        if (reads >= MAX_READS || running.size >= MAX_IN_FLIGHT) return;
        if (pausesMs.has(id) && retries <= 0) continue;
        if (await isRefused(id, listed, looks)) continue;
        if (pausesMs.has(id)) retries -= 1;
        reads += 1;
        await consider(id, listed);
      }
    },
  };
}

/** The side is not quoted: not at all, or because the desk runs low. */
function noSide({ side, lot, listed, units, amount }: Fit, { terms, stands }: Look): Refusal {
  if ((side === 'buy' ? terms.ask : terms.bid) === null) {
    return { reason: 'not_sold', text: 'the desk does not trade this side of it' };
  }
  const gives = { side, asset_id: listed.asset.id, kind_ids: lot.kindIds.join(',') };
  const { pots } = givenBy({ ...gives, units: String(units), amount: String(amount) });
  return runsLow(pots.some((pot) => stands.get(pot)?.isCapped === true));
}

function rowId(id: string): string {
  return `accept/${id}`;
}

/** What must change. */
function textOf({ quote: { bid, ask }, stands }: Look, until: 'quote' | 'inventory'): string {
  const quote = `${bid}/${ask}`;
  return until === 'quote' ? quote : [quote, ...[...stands.values()].map(({ free }) => free)].join(' ');
}
