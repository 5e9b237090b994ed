import { LRUCache } from 'lru-cache';
import type PQueue from 'p-queue';
import type { Logger } from 'pino';
import type { Clock } from '../../core/clock.ts';
import type { Chain } from '../chain.ts';
import { AppError } from '../errors.ts';
import type { Indexer } from '../indexer.ts';
import { type Book, type Listed, potsOf, stocked } from './book.ts';
import type { Dispatch } from './dispatch.ts';
import type { Pot } from './inventory.ts';
import { amountOf, MAX_TRADE, type Prices } from './quote.ts';
import { acceptMessage, type Fit, fitOf, readSettlement } from './settlement.ts';
import type { NewTrade, Trades } from './trades.ts';
import { type Stand, shortage, standsOf } from './vault.ts';

/** Settlements that others have proposed to the desk: accepted when they are a trade at its quote or better. */
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

/** Why one is not accepted: for good, as long as its lot is quoted so or the desk has so much of it, or for a while. */
type Refusal =
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
  readonly quote: Prices;
  readonly stands: ReadonlyMap<Pot, Stand>;
}
type Looks = Map<Fit['lot'], Promise<Look>>;
const NEVER: Refusal = { until: 'never' };
const LATER: Refusal = { until: 'next round' };

export function createAcceptance(options: AcceptanceOptions): Acceptance {
  const { chain, indexer, address, book, trades, dispatch, line, clock, log } = options;
  const refusals = new LRUCache<string, Refusal>({ max: REMEMBERED });
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
    const stands = await standsOf(chain, trades, address, potsOf(listed.asset.id, lot));
    return { quote: stocked(await book.prices(listed, lot), stands, listed.asset, lot), stands };
  }

  /** `looks`: this round's, one a lot, however many settlements wait for one to change. */
  async function isRefused(id: string, listed: readonly Listed[], looks: Looks): Promise<boolean> {
    const refusal = refusals.get(id);
    if (refusal === undefined) return false;
    if (refusal.until === 'time') return clock.nowMs() < refusal.atMs;
    if (refusal.until !== 'quote' && refusal.until !== 'inventory') return true;
    const one = listed.find(({ asset }) => asset.id === refusal.assetId);
    const lot = one?.asset.lots.find(({ kind }) => kind === refusal.kind);
    if (one === undefined || lot === undefined) return false;
    const look = looks.get(lot) ?? lookAt({ listed: one, lot });
    looks.set(lot, look);
    return refusal.seen === textOf(await look, refusal.until);
  }

  /** In the line. Reserves what it takes, or says why not. */
  async function judge(id: string, listed: readonly Listed[]): Promise<NewTrade | Refusal> {
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
      log.info({ settlement: id }, `the desk does not accept settlement ${id}: ${fit}`);
      return NEVER;
    }
    const { asset } = fit.listed;
    const look = await lookAt(fit);
    const { quote, stands } = look;
    const refusalUntil = (until: 'quote' | 'inventory'): Refusal => {
      return { until, assetId: asset.id, kind: fit.lot.kind, seen: textOf(look, until) };
    };
    const refusal = refusalUntil('quote');
    const price = fit.side === 'buy' ? quote.ask : quote.bid;
    if (price === null) return refusal;
    const value = amountOf(fit.side, price, fit.units, asset.decimals);
    if (value > MAX_TRADE || fit.amount === 0n) return refusal;
    if (fit.side === 'buy' ? fit.amount < value : fit.amount > value) return refusal;
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
    if (shortage(stands, trade, { isProposal: false }) !== undefined) return refusalUntil('inventory');
    await dispatch.reserve(trade);
    // should the chain refuse it, it is looked at again when the quote changes
    refusals.set(id, refusal);
    return trade;
  }

  async function consider(id: string, listed: readonly Listed[]): Promise<void> {
    const judged = await line.add(() => judge(id, listed));
    if ('until' in judged) {
      if (judged !== LATER) refusals.set(id, judged);
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
    refusals.set(id, { until: 'time', atMs: clock.nowMs() + pauseMs });
  }

  return {
    async round() {
      const listed = await book.listed();
      if (listed.length === 0) return;
      const ids = (await pendingIds()).filter((id) => !running.has(id));
      const fresh = ids.filter((id) => !refusals.has(id));
      const again = ids.filter((id) => !['never', undefined].includes(refusals.get(id)?.until));
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

function rowId(id: string): string {
  return `accept/${id}`;
}

/** What must change. */
function textOf({ quote: { bid, ask }, stands }: Look, until: 'quote' | 'inventory'): string {
  const quote = `${bid}/${ask}`;
  return until === 'quote' ? quote : [quote, ...[...stands.values()].map(({ free }) => free)].join(' ');
}
