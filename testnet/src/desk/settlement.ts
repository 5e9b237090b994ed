import { ChainError } from 'strata-kit/chain-error';
import type { Json, JsonObject } from 'strata-kit/proto-json';
import { formatTimeNs, parseTimeNs } from 'strata-kit/time';
import type { Chain } from '../chain.ts';
import type { DeskTradeRow } from '../database/tables.ts';
import { AppError } from '../errors.ts';
import type { SentEvent } from '../sender.ts';
import type { Lot } from './asset.ts';
import type { Listed } from './book.ts';
import type { Side } from './quote.ts';

/** Settlements as messages, as the chain holds them, and as a trade of the desk. */

/** As the chain has it. */
export interface Settlement {
  readonly id: string;
  readonly proposer: string;
  readonly counterparty: string;
  readonly legs: readonly JsonObject[];
  readonly expiryNs: bigint;
  readonly status: string;
}

const OUT = 'DIRECTION_PROPOSER_TO_COUNTERPARTY';
const BACK = 'DIRECTION_COUNTERPARTY_TO_PROPOSER';

/** Undefined: there is none of this id. Errors: AppError unavailable. */
export async function readSettlement(chain: Chain, id: string): Promise<Settlement | undefined> {
  try {
    const path = `/${chain.facts.namespace}.settlement.v1.Query/Settlement`;
    const { settlement } = await chain.query(path, { id });
    const { proposer, counterparty, legs, expiry, status } = settlement as JsonObject;
    return {
      id,
      proposer: String(proposer),
      counterparty: String(counterparty),
      legs: (legs ?? []) as readonly JsonObject[],
      expiryNs: parseTimeNs(String(expiry)) ?? 0n,
      status: String(status),
    };
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    if (/not found/i.test(error.message)) return undefined;
    // as of a node that has just started, and waits for its first block
    throw new AppError('unavailable', `settlement ${id} cannot be read: ${error.message}`, { cause: error });
  }
}

type Traded = Pick<DeskTradeRow, 'address' | 'asset_id' | 'kind_ids' | 'side' | 'units' | 'amount'>;

export function proposeMessage(
  { facts }: Chain,
  proposer: string,
  { address, asset_id, kind_ids, side, units, amount }: Traded,
  expiryNs: bigint,
): JsonObject {
  const rights = kind_ids.split(',').map((kindId) => ({
    direction: side === 'buy' ? OUT : BACK,
    right: { asset_id, kind_id: Number(kindId), units },
  }));
  const coin = { direction: side === 'buy' ? BACK : OUT, coin: { denom: facts.stableDenom, amount } };
  return {
    '@type': `/${facts.namespace}.settlement.v1.MsgPropose`,
    proposer,
    counterparty: address,
    legs: [...rights, coin],
    expiry: formatTimeNs(expiryNs),
  };
}

export function acceptMessage({ facts }: Chain, counterparty: string, id: string): JsonObject {
  return { '@type': `/${facts.namespace}.settlement.v1.MsgAccept`, counterparty, id };
}

/** The id that a block gave to a proposal of this account; undefined when there is none among a tx's events. */
export function proposedId(
  events: readonly SentEvent[],
  namespace: string,
  proposer: string,
): string | undefined {
  for (const { type, attributes } of events) {
    if (type !== `${namespace}.settlement.v1.EventProposed`) continue;
    const values = new Map(attributes.map(([key, value]) => [key, plain(value)]));
    const id = values.get('id') ?? '';
    if (values.get('proposer') === proposer && /^\d{1,15}$/.test(id)) return id;
  }
  return undefined;
}

/** A settlement that is one of the desk's trades, at its proposer's price. */
export interface Fit {
  readonly listed: Listed;
  readonly lot: Lot;
  /** From the proposer's view. */
  readonly side: Side;
  readonly units: bigint;
  /** Stable base units. */
  readonly amount: bigint;
}

/**
 * One asset's kinds in equal units, all in one direction, each once and together a lot, against one leg of stable coins in
 * the other. A text says why it is none.
 */
export function fitOf(
  { legs }: Pick<Settlement, 'legs'>,
  listed: readonly Listed[],
  stableDenom: string,
): Fit | string {
  const rights = legs.flatMap(({ direction, right }) => (isObject(right) ? [{ direction, ...right }] : []));
  const coins = legs.flatMap(({ direction, coin }) => (isObject(coin) ? [{ direction, ...coin }] : []));
  const [first] = rights as readonly JsonObject[];
  const [coin] = coins as readonly JsonObject[];
  if (first === undefined || coin === undefined || coins.length > 1)
    return 'not units against one leg of coins';
  if (coin.denom !== stableDenom) return `its coins are not ${stableDenom}`;
  if (coin.direction === first.direction) return 'one side gives everything';
  const same = (rights as readonly JsonObject[]).every(
    ({ direction, asset_id, units }) =>
      direction === first.direction && asset_id === first.asset_id && units === first.units,
  );
  if (!same) return 'its units are not equal ones of one asset, in one direction';
  const one = listed.find(({ asset }) => asset.id === first.asset_id);
  if (one === undefined) return 'its asset is not traded here';
  const kindIds = (rights as readonly JsonObject[]).map(({ kind_id }) => Number(kind_id ?? 0));
  const lot = one.asset.lots.find((candidate) => hasSame(candidate.kindIds, kindIds));
  if (lot === undefined) return 'its kinds are neither the whole share nor a kind that is quoted';
  return {
    listed: one,
    lot,
    side: first.direction === OUT ? 'sell' : 'buy',
    units: BigInt(String(first.units)),
    amount: BigInt(String(coin.amount)),
  };
}

function hasSame(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && new Set(b).size === b.length && b.every((one) => a.includes(one));
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Typed events hold JSON. */
function plain(value: string): string {
  return value.replace(/^"(.*)"$/, '$1');
}
