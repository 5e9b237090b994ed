import type { Context } from '../../app/module.ts';
import type { Reader } from '../../state/state.ts';
import { holders, kindKey, positionRecord } from '../rights/positions.ts';
import {
  type Accrual,
  accruals,
  OWN,
  ROUTED,
  ROUTED_AWAY,
  type Route,
  routesOf,
  type Settled,
} from './records.ts';

/**
 * What the income of a kind is reckoned on (modules.md, rule 4): a holder's own basis, its units less those routed
 * away, and one basis for each route. A touch settles a basis before it changes.
 */
export type Basis =
  | { readonly holder: string }
  /** The route of a pledge. */
  | { readonly ref: string };

/** Scale of the index. */
export const SCALE = 10n ** 18n;

const UNSETTLED: Settled = { lastIndex: 0n, accrued: 0n };

/** Whose income, with the basis's units now. */
interface Place {
  readonly key: string;
  readonly units: bigint;
  readonly records: typeof OWN;
}

export function ownPlace(reader: Reader, assetId: string, kindId: number, holder: string): Place {
  return {
    key: holder,
    records: OWN,
    units:
      positionRecord(reader, assetId, kindId, holder).units - routedAway(reader, assetId, kindId, holder),
  };
}

export function routePlace({ ref, units }: Route): Place {
  return { key: ref, records: ROUTED, units };
}

/** Units of a holder whose income goes to others. */
export function routedAway(reader: Reader, assetId: string, kindId: number, holder: string): bigint {
  return reader.get(ROUTED_AWAY, `${kindKey(assetId, kindId)}|${holder}`) ?? 0n;
}

/** pending = floor(units · (index − last index) / 10^18), since the last touch; accrued before it. */
export interface Claimable {
  readonly pending: bigint;
  readonly accrued: bigint;
  readonly total: bigint;
}

export function claimableAt(
  reader: Reader,
  assetId: string,
  { kindId, denom, index }: Accrual,
  place: Place,
): Claimable {
  const key = `${kindKey(assetId, kindId)}|${denom}|${place.key}`;
  const { lastIndex, accrued } = reader.get(place.records, key) ?? UNSETTLED;
  const pending = (place.units * (index - lastIndex)) / SCALE;
  return { pending, accrued, total: pending + accrued };
}

/** Brings the basis up to the index with this much accrued. */
export function settle(
  { state }: Pick<Context, 'state'>,
  assetId: string,
  { kindId, denom, index }: Accrual,
  place: Place,
  accrued: bigint,
): void {
  state.set(place.records, `${kindKey(assetId, kindId)}|${denom}|${place.key}`, {
    lastIndex: index,
    accrued,
  });
}

/** Settles a basis for every denom of the kind. */
export function touchPlace(
  context: Pick<Context, 'state'>,
  assetId: string,
  kindId: number,
  place: Place,
): void {
  for (const accrual of accruals(context.state, assetId, kindId)) {
    const { total } = claimableAt(context.state, assetId, accrual, place);
    settle(context, assetId, accrual, place, total);
  }
}

/** Who has a basis of their own: holders, and those who have left but were settled once. By address. */
export function ownHolders(reader: Reader, assetId: string, kindId: number): string[] {
  const found = new Set([...holders(reader, assetId, kindId)].map(({ holder }) => holder));
  for (const { denom } of accruals(reader, assetId, kindId)) {
    const prefix = `${kindKey(assetId, kindId)}|${denom}|`;
    for (const [key] of reader.entries(OWN, prefix)) found.add(key.slice(prefix.length));
  }
  return [...found].sort();
}

/** Over every basis that an accrual has: holders', of those who have left, and routes'. */
export function sumClaimable(reader: Reader, assetId: string, accrual: Accrual): bigint {
  const { kindId } = accrual;
  let sum = 0n;
  for (const holder of ownHolders(reader, assetId, kindId))
    sum += claimableAt(reader, assetId, accrual, ownPlace(reader, assetId, kindId, holder)).total;
  for (const route of routesOf(reader, assetId, kindId))
    sum += claimableAt(reader, assetId, accrual, routePlace(route)).total;
  return sum;
}
