import type { Coin } from 'strata-kit/coin';
import type { JsonObject } from 'strata-kit/proto-json';
import { formatTimeNs } from 'strata-kit/time';
import { collection } from '../../state/state.ts';
import { deadlines, sequence } from '../sequence.ts';

export const DIRECTIONS = [
  'DIRECTION_PROPOSER_TO_COUNTERPARTY',
  'DIRECTION_COUNTERPARTY_TO_PROPOSER',
] as const;
export type Direction = (typeof DIRECTIONS)[number];

export const STATUSES = ['STATUS_PENDING', 'STATUS_SETTLED', 'STATUS_CANCELLED', 'STATUS_EXPIRED'] as const;
export type Status = (typeof STATUSES)[number];

export interface Right {
  readonly assetId: string;
  readonly kindId: number;
  readonly units: bigint;
}

/** Of a right or of a coin. */
export interface Leg {
  readonly direction: Direction;
  readonly right?: Right;
  readonly coin?: Coin;
}

export interface Settlement {
  readonly id: bigint;
  readonly proposer: string;
  readonly counterparty: string;
  readonly legs: readonly Leg[];
  readonly expiryNs: bigint;
  readonly status: Status;
  /** Base64. */
  readonly memoHash: string;
  /** LIQUIDATION, else empty. */
  readonly cancelReason: string;
}

export const settlements = collection<Settlement>('settlement/settlements');
/** Pending ones by `<asset id>/<id>`. */
export const pendingByAsset = collection<bigint>('settlement/pending-by-asset');
export const ids = sequence('settlement');
export const expiries = deadlines('settlement');

/** Under which the proposer's units are locked. */
export function lockRef(id: bigint): string {
  return `settlement/${id}`;
}

/** What one side delivers in rights, the legs of one kind summed, in the order in which the kinds come first. */
export function rightsOf(legs: readonly Leg[], direction: Direction): Right[] {
  const sums = new Map<string, Right>();
  for (const leg of legs) {
    if (leg.direction !== direction || leg.right === undefined) continue;
    const { assetId, kindId, units } = leg.right;
    const key = `${assetId}/${kindId}`;
    sums.set(key, { assetId, kindId, units: (sums.get(key)?.units ?? 0n) + units });
  }
  return [...sums.values()];
}

/** What one side delivers in coins, summed by denom and sorted by it, as the bank wants them. */
export function coinsOf(legs: readonly Leg[], direction: Direction): Coin[] {
  const sums = new Map<string, bigint>();
  for (const leg of legs) {
    if (leg.direction !== direction || leg.coin === undefined) continue;
    sums.set(leg.coin.denom, (sums.get(leg.coin.denom) ?? 0n) + leg.coin.amount);
  }
  return [...sums]
    .map(([denom, amount]) => ({ denom, amount }))
    .sort((a, b) => (a.denom < b.denom ? -1 : a.denom > b.denom ? 1 : 0));
}

/** In the order in which they come first. */
export function assetsOf(legs: readonly Leg[]): string[] {
  return [...new Set(legs.flatMap(({ right }) => (right === undefined ? [] : [right.assetId])))];
}

export function legJson({ direction, right, coin }: Leg): JsonObject {
  return {
    direction,
    ...(right && {
      right: { asset_id: right.assetId, kind_id: right.kindId, units: String(right.units) },
    }),
    ...(coin && { coin: { denom: coin.denom, amount: String(coin.amount) } }),
  };
}

export function settlementJson(record: Settlement): JsonObject {
  return {
    id: String(record.id),
    proposer: record.proposer,
    counterparty: record.counterparty,
    legs: record.legs.map(legJson),
    expiry: formatTimeNs(record.expiryNs),
    status: record.status,
    memo_hash: record.memoHash,
    cancel_reason: record.cancelReason,
  };
}
