import type { Context } from '../../app/module.ts';
import type { Reader } from '../../state/state.ts';
import { moduleAddress, send } from '../bank/keeper.ts';
import { kindKey } from '../rights/positions.ts';
import {
  type Basis,
  type Claimable,
  claimableAt,
  ownPlace,
  routedAway,
  routePlace,
  settle,
  touchPlace,
} from './bases.ts';
import { payoutError } from './codes.ts';
import {
  ACCRUALS,
  type Accrual,
  accrual,
  accruals,
  BENEFICIARY_ROUTES,
  KIND_ROUTES,
  ROUTED_AWAY,
  ROUTES,
  type Route,
  route,
  routeNumberKey,
  routeRef,
} from './records.ts';

/** The module account that holds what is distributed and not yet paid. */
export function payoutAddress(parameters: Context['parameters']): string {
  return moduleAddress(parameters, 'payout');
}

/** Settles a basis before it changes, in every denom of the kind, whether it changes or not (modules.md, rule 4). */
export function touch(context: Context, assetId: string, kindId: number, basis: Basis): void {
  const place =
    'holder' in basis
      ? ownPlace(context.state, assetId, kindId, basis.holder)
      : routePlace(requireRoute(context.state, basis.ref));
  touchPlace(context, assetId, kindId, place);
}

export interface RouteStart {
  /** The encumbrance's. */
  readonly id: bigint;
  readonly assetId: string;
  readonly kindId: number;
  readonly holder: string;
  readonly units: bigint;
  readonly beneficiary: string;
}

/**
 * From now on the income of these units is the beneficiary's. Refused as payout/61 when the holder's own basis is less.
 */
export function startRoute(context: Context, start: RouteStart): void {
  const { id, assetId, kindId, holder, units, beneficiary } = start;
  const own = ownPlace(context.state, assetId, kindId, holder);
  if (units <= 0n || units > own.units)
    throw payoutError(
      'routeTooLarge',
      `${units} units to route, ${own.units} of ${holder} have their own income`,
    );
  const made: Route = { assetId, kindId, holder, beneficiary, ref: routeRef(id), units: 0n };
  putRoute(context, made);
  setUnits(context, made, units);
}

/** After a partial release: the route's units from now on. Refused as payout/60 when there is no such route. */
export function changeRoute(context: Context, id: bigint, remainingUnits: bigint): void {
  const found = requireRoute(context.state, routeRef(id));
  if (remainingUnits < 0n || remainingUnits > found.units)
    throw payoutError(
      'routeTooLarge',
      `${remainingUnits} units remain of ${found.units} routed by ${found.ref}`,
    );
  setUnits(context, found, remainingUnits);
}

/** The pledge is resolved. What the route has accrued stays claimable under its ref. */
export function endRoute(context: Context, id: bigint): void {
  changeRoute(context, id, 0n);
}

/** Each event of a pledge touches both bases; a new route's begins at the index of now, as it had no units before. */
function setUnits(context: Context, before: Route, units: bigint): void {
  const { assetId, kindId, holder } = before;
  touchPlace(context, assetId, kindId, ownPlace(context.state, assetId, kindId, holder));
  touchPlace(context, assetId, kindId, routePlace(before));
  putRoute(context, { ...before, units });
}

/** Writes a route, with the indexes that lead to it and the holder's sum, and touches nothing. */
export function putRoute({ state }: Pick<Context, 'state'>, made: Route): void {
  const { assetId, kindId, holder, beneficiary, ref, units } = made;
  const [kind, number] = [kindKey(assetId, kindId), routeNumberKey(made)];
  const change = units - (route(state, ref)?.units ?? 0n);
  const away = routedAway(state, assetId, kindId, holder) + change;
  if (away === 0n) state.delete(ROUTED_AWAY, `${kind}|${holder}`);
  else state.set(ROUTED_AWAY, `${kind}|${holder}`, away);
  state.set(ROUTES, ref, made);
  state.set(KIND_ROUTES, `${kind}|${number}`, ref);
  state.set(BENEFICIARY_ROUTES, `${kind}|${beneficiary}|${number}`, ref);
}

export interface ClaimableEntry extends Claimable {
  readonly denom: string;
  /** Empty for the own basis, else the holder whose units route their income here. */
  readonly routedFrom: string;
  /** Empty for the own basis. */
  readonly ref: string;
}

/** What an account may claim of a kind: its own first, then by route; entries of total 0 are left out. */
export function claimables(
  reader: Reader,
  assetId: string,
  kindId: number,
  address: string,
): ClaimableEntry[] {
  const routes = [...reader.entries(BENEFICIARY_ROUTES, `${kindKey(assetId, kindId)}|${address}|`)].map(
    ([, ref]) => requireRoute(reader, ref),
  );
  const places = [
    { routedFrom: '', ref: '', place: ownPlace(reader, assetId, kindId, address) },
    ...routes.map((found) => ({ routedFrom: found.holder, ref: found.ref, place: routePlace(found) })),
  ];
  const kindAccruals = accruals(reader, assetId, kindId);
  return places
    .flatMap(({ routedFrom, ref, place }) =>
      kindAccruals.map((of) => ({
        denom: of.denom,
        routedFrom,
        ref,
        ...claimableAt(reader, assetId, of, place),
      })),
    )
    .filter(({ total }) => total > 0n);
}

/**
 * Pays a holder's own income of a denom to somebody else, touching only that; without an event of this module. Answers
 * the amount: 0n when there is none, and then nothing has changed.
 */
export function sweep(
  context: Context,
  assetId: string,
  kindId: number,
  denom: string,
  holder: string,
  recipient: string,
): bigint {
  return pay(context, assetId, kindId, denom, { holder }, recipient);
}

/** Pays all of a basis in a denom; 0n, and nothing touched, when there is nothing. */
export function pay(
  context: Context,
  assetId: string,
  kindId: number,
  denom: string,
  basis: Basis,
  recipient: string,
): bigint {
  const of = accrual(context.state, assetId, kindId, denom);
  if (of === undefined) return 0n;
  const place =
    'holder' in basis
      ? ownPlace(context.state, assetId, kindId, basis.holder)
      : routePlace(requireRoute(context.state, basis.ref));
  const { total } = claimableAt(context.state, assetId, of, place);
  if (total === 0n) return 0n;
  settle(context, assetId, of, place, 0n);
  putAccrual(context, assetId, { ...of, totalPaid: of.totalPaid + total });
  send(context, payoutAddress(context.parameters), recipient, [{ denom, amount: total }]);
  return total;
}

export function putAccrual(context: Pick<Context, 'state'>, assetId: string, of: Accrual): void {
  context.state.set(ACCRUALS, `${kindKey(assetId, of.kindId)}|${of.denom}`, of);
}

function requireRoute(reader: Reader, ref: string): Route {
  const found = route(reader, ref);
  if (found === undefined) throw payoutError('unknownRoute', `no income is routed under ${ref}`);
  return found;
}
