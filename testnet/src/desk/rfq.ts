import { randomUUID } from 'node:crypto';
import type PQueue from 'p-queue';
import { accountBytes, canonicalAccount } from 'strata-kit/address';
import { clientKey } from 'strata-kit/client-key';
import type { Clock } from 'strata-kit/clock';
import { z } from 'zod';
import type { Chain } from '../chain.ts';
import { AppError } from '../errors.ts';
import type { Lot } from './asset.ts';
import { type Book, type Listed, stocked } from './book.ts';
import type { Caps } from './caps.ts';
import type { Dispatch } from './dispatch.ts';
import { coins } from './guard.ts';
import { givenBy } from './inventory.ts';
import type { Limits } from './limits.ts';
import { policyDenial } from './policy.ts';
import { amountOf, MAX_TRADE, type Side } from './quote.ts';
import type { Refusal, RefusalReason, Refusals } from './refusals.ts';
import { proposeMessage } from './settlement.ts';
import type { NewTrade, Trades } from './trades.ts';
import { runsLow, shortage } from './vault.ts';

/** POST /api/desk/rfq: a request for a quote becomes a proposal on the chain, or a refusal that says why. */

export interface RfqAnswer {
  readonly settlement_id: number;
  readonly instrument: string;
  readonly kind: number;
  readonly side: Side;
  readonly units: string;
  readonly price: string;
  readonly amount: string;
}

export interface RfqOptions {
  readonly chain: Chain;
  readonly clock: Clock;
  /** The desk's, bech32. */
  readonly address: string;
  readonly book: Book;
  readonly trades: Trades;
  readonly caps: Caps;
  readonly refusals: Refusals;
  readonly limits: Limits;
  readonly dispatch: Dispatch;
  /** False while instruments are still looked for; always true. */
  readonly isComplete?: () => boolean;
  /** What is read and then reserved stays as it was read. */
  readonly line: PQueue;
  /** Of an answer; 10,000. */
  readonly answerMs?: number;
}

export const PROPOSAL_SECONDS = 600;
const PER_ADDRESS = 5;
const PER_IP = 20;
/** Proposals at a time, on the chain and on their way. */
const MAX_OPEN = 200;
/** Requests that wait for their turn. */
const MAX_WAITING = 100;

const REQUEST = z.object({
  address: z.string().max(200),
  symbol: z.string(),
  kind: z.int(),
  side: z.enum(['buy', 'sell']),
  units: z.string().regex(/^[1-9]\d{0,76}$/),
});
const HINTS: Readonly<Record<keyof z.infer<typeof REQUEST>, string>> = {
  address: 'an account',
  symbol: "an instrument's symbol",
  kind: "a kind's id, or -1 for the whole share",
  side: 'buy or sell',
  units: 'base units: a whole number above 0, as a text',
};

export type Rfq = (body: unknown, ip: string) => Promise<RfqAnswer>;

/**
 * Errors: AppError bad_request; not_found for a symbol or kind that is not traded; conflict, with the reason;
 * too_many_requests; unavailable when there is no price, or no block has the proposal within 10 seconds.
 */
export function createRfq(options: RfqOptions): Rfq {
  const { chain, clock, address: desk, book, trades, caps, refusals, limits, dispatch, line } = options;
  const { answerMs = 10_000, isComplete = () => true } = options;
  /** By what is asked: who asks the same again before there is an answer waits for the same one. */
  const asked = new Map<string, Promise<RfqAnswer>>();

  function checked(body: unknown): Asked {
    const parsed = REQUEST.safeParse(body);
    if (!parsed.success) {
      const [name] = parsed.error.issues[0]?.path ?? [];
      const hint = HINTS[name as keyof typeof HINTS];
      throw new AppError(
        'bad_request',
        hint === undefined ? 'the body is no request' : `${String(name)}: ${hint}`,
      );
    }
    const { units, ...rest } = parsed.data;
    const address = canonicalAccount(rest.address, chain.facts.hrp);
    if (address === undefined || accountBytes(rest.address, chain.facts.hrp)?.length !== 20) {
      throw new AppError('bad_request', `address: ${HINTS.address} of this chain`);
    }
    if (address === desk) throw new AppError('bad_request', "address: the desk's own");
    return { ...rest, address, units: BigInt(units) };
  }

  async function lotOf({ symbol, kind }: Asked): Promise<{ readonly listed: Listed; readonly lot: Lot }> {
    const listed = (await book.listed()).find((one) => one.symbol === symbol);
    if (listed === undefined && !isComplete()) {
      throw new AppError('unavailable', 'the desk has just started and looks for what it trades');
    }
    if (listed === undefined) throw new AppError('not_found', 'the desk does not trade this symbol');
    const lot = listed.asset.lots.find((one) => one.kind === kind);
    if (lot === undefined) throw new AppError('not_found', 'the desk does not trade this kind alone');
    return { listed, lot };
  }

  function refusalOf({ address, symbol, kind, side }: Asked, refusal: Refusal): AppError {
    refusals.note('request', refusal, { address, symbol, kind, side });
    return new AppError('conflict', refusal.text);
  }

  async function tradeOf(
    request: Asked,
    { listed, lot }: Awaited<ReturnType<typeof lotOf>>,
  ): Promise<NewTrade> {
    const { address, symbol, kind, side, units } = request;
    const { asset } = listed;
    const refuse = (refusal: Refusal) => refusalOf(request, refusal);
    const conflict = (reason: RefusalReason, text: string) => refuse({ reason, text });
    const terms = await book.terms(listed, lot);
    if (terms.closed !== undefined) throw refuse(terms.closed);
    const price = priceOf(terms, side);
    if (side === 'buy' && !lot.isSold)
      throw conflict('not_sold', 'the desk buys this kind alone, but sells it only in whole shares');
    if (price === null) throw conflict('trade_size', 'the price is below a base unit of the stable coin');
    const amount = amountOf(side, price, units, asset.decimals);
    if (amount > MAX_TRADE)
      throw conflict('trade_size', `a trade is at most ${coins(MAX_TRADE)} of the stable coin`);
    if (amount > terms.largest) {
      const text = `a trade of this asset is at most ${coins(terms.largest)} of the stable coin, by what its pool holds`;
      throw conflict('pool_share', text);
    }
    if (amount === 0n)
      throw conflict('trade_size', 'these units are not worth a base unit of the stable coin');
    const [from, to] = side === 'buy' ? [desk, address] : [address, desk];
    const denial = await policyDenial(chain, asset, lot.kindIds, { from, to });
    if (denial !== undefined) throw conflict('policy', `the chain would deny it: ${denial}`);
    const gives = { side, asset_id: asset.id, kind_ids: lot.kindIds.join(',') };
    const values = { units: String(units), price: String(price), amount: String(amount) };
    const fixed = { role: 'propose', settlement_id: null, attempts: 1, address, symbol, kind } as const;
    const trade = { id: randomUUID(), ...fixed, ...gives, ...values };
    const stands = await book.stands(listed, lot);
    if (priceOf(stocked(terms, stands, asset, lot), side) === null) {
      const isCapped = givenBy(trade).pots.some((pot) => stands.get(pot)?.isCapped === true);
      const { reason, text } = runsLow(isCapped);
      throw conflict(reason, isCapped ? text : 'the desk runs low and does not quote this side now');
    }
    const short = shortage(stands, trade, { isProposal: true }) ?? (await caps.refusal(trade));
    if (short !== undefined) throw refuse(short);
    return trade;
  }

  /** In the line. */
  async function reserve(request: Asked, lot: Awaited<ReturnType<typeof lotOf>>): Promise<Reserved> {
    const [unresolved, proposed] = [await trades.unresolved(), await trades.proposed()];
    // of an earlier process, or one whose fate nobody knows yet
    if (unresolved.some((row) => isSame(row, request))) throw onItsWay();
    if (unresolved.length + proposed.length >= MAX_OPEN) {
      throw refusalOf(request, { reason: 'open_proposals', text: 'too many proposals are open' });
    }
    const trade = await tradeOf(request, lot);
    const { timeNs } = await chain.node.status();
    await limits.take(`address/${request.address}`, PER_ADDRESS);
    // nothing may fail between this and the sending, or it would be held by nobody
    await dispatch.reserve(trade);
    return { trade, expiryNs: timeNs + BigInt(PROPOSAL_SECONDS) * 1_000_000_000n };
  }

  async function propose(request: Asked): Promise<RfqAnswer> {
    const lot = await lotOf(request);
    const { trade, expiryNs } = await line.add(() => reserve(request, lot));
    const settlementId = await dispatch.send(trade, proposeMessage(chain, desk, trade, expiryNs));
    const { symbol, kind, side, units, price, amount } = trade;
    return { settlement_id: Number(settlementId), instrument: symbol, kind, side, units, price, amount };
  }

  function join(request: Asked): Promise<RfqAnswer> {
    const key = JSON.stringify({ ...request, units: String(request.units) });
    const known = asked.get(key);
    if (known !== undefined) return known;
    const answer = propose(request).finally(() => asked.delete(key));
    asked.set(key, answer);
    return answer;
  }

  return async (body, ip) => {
    const request = checked(body);
    if (line.size >= MAX_WAITING) throw new AppError('unavailable', 'too many requests wait for the desk');
    const counted = line.add(() => limits.take(`ip/${clientKey(ip)}`, PER_IP));
    const answer = counted.then(() => join(request));
    const stop = new AbortController();
    const late = clock.sleep(answerMs, stop.signal).then(() => {
      throw onItsWay();
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      stop.abort();
      late.catch(() => undefined);
      // who waited no longer has been told so; what became of it stands in the database
      answer.catch(() => undefined);
    }
  };
}

interface Reserved {
  readonly trade: NewTrade;
  readonly expiryNs: bigint;
}

interface Asked {
  readonly address: string;
  readonly symbol: string;
  readonly kind: number;
  readonly side: Side;
  readonly units: bigint;
}

function isSame(row: NewTrade, { address, symbol, kind, side, units }: Asked): boolean {
  return (
    row.role === 'propose' &&
    row.address === address &&
    row.symbol === symbol &&
    row.kind === kind &&
    row.side === side &&
    row.units === String(units)
  );
}

function priceOf({ bid, ask }: { readonly bid: bigint | null; readonly ask: bigint | null }, side: Side) {
  return side === 'buy' ? ask : bid;
}

function onItsWay(): AppError {
  return new AppError('unavailable', 'the proposal is on its way, and no block is known to have it yet');
}
