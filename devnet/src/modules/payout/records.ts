import { collection, numberKey, type Reader } from '../../state/state.ts';
import { kindKey } from '../rights/positions.ts';

/** What a kind has paid in a denom (modules.md, rules 3 and 5). It exists from the first distribution. */
export interface Accrual {
  readonly kindId: number;
  readonly denom: string;
  /** Income per unit since the beginning, ×10^18. */
  readonly index: bigint;
  /** Scaled rest of the last distribution, less than the supply it met. */
  readonly carryScaled: bigint;
  readonly totalDistributed: bigint;
  readonly totalPaid: bigint;
  readonly distributions: bigint;
}

/** How far a basis has been settled in a denom. None yet is the same as both 0. */
export interface Settled {
  readonly lastIndex: bigint;
  readonly accrued: bigint;
}

/** A pledge that routes the income of its units to its beneficiary; 0 units once it has ended. */
export interface Route {
  readonly assetId: string;
  readonly kindId: number;
  readonly holder: string;
  readonly beneficiary: string;
  /** `encumbrance/<id>`. */
  readonly ref: string;
  readonly units: bigint;
}

/** By kind and denom. */
export const ACCRUALS = collection<Accrual>('payout/accruals');
/** Own bases, by kind, denom and holder. */
export const OWN = collection<Settled>('payout/own');
/** Routes' bases, by kind, denom and ref. */
export const ROUTED = collection<Settled>('payout/routed');
/** By ref. */
export const ROUTES = collection<Route>('payout/routes');
/** Refs, by kind and number of the pledge. */
export const KIND_ROUTES = collection<string>('payout/kind_routes');
/** Refs, by kind, beneficiary and number of the pledge. */
export const BENEFICIARY_ROUTES = collection<string>('payout/beneficiary_routes');
/** Units routed away, by kind and holder; there is none of 0. */
export const ROUTED_AWAY = collection<bigint>('payout/routed_away');

export function routeRef(id: bigint): string {
  return `encumbrance/${id}`;
}

export function routeNumberKey(route: Route): string {
  return numberKey(BigInt(route.ref.slice('encumbrance/'.length)));
}

export function accrual(reader: Reader, assetId: string, kindId: number, denom: string): Accrual | undefined {
  return reader.get(ACCRUALS, `${kindKey(assetId, kindId)}|${denom}`);
}

/** Of a kind, by denom; of every kind of the asset, by kind and denom, without one. */
export function accruals(reader: Reader, assetId: string, kindId?: number): Accrual[] {
  const prefix = kindId === undefined ? `${assetId}|` : `${kindKey(assetId, kindId)}|`;
  return [...reader.entries(ACCRUALS, prefix)].map(([, found]) => found);
}

export function route(reader: Reader, ref: string): Route | undefined {
  return reader.get(ROUTES, ref);
}

/** Every route that a kind ever had, by the pledge's number. */
export function* routesOf(reader: Reader, assetId: string, kindId: number): IterableIterator<Route> {
  for (const [, ref] of reader.entries(KIND_ROUTES, `${kindKey(assetId, kindId)}|`)) {
    const found = route(reader, ref);
    if (found !== undefined) yield found;
  }
}
