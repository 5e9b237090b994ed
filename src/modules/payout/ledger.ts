import { int256 } from '../../derive/int256.ts';
import { createClosedRecords } from '../closed-records.ts';
import type { Position, RightsState, SettledNode } from '../rights/state.ts';
import { distribute, type IndexState, pendingIncome } from './income.ts';
import type { Accrual } from './state.ts';

export interface MutableAccrual extends Accrual {
  /** Its number among the kind's, for this process alone. */
  readonly denomIndex: number;
  index: bigint;
  carryScaled: bigint;
  totalDistributed: bigint;
  totalPaid: bigint;
  distributions: number;
  /** Of the last distribution or claim (rule 12). */
  updatedHeight: number;
}

/** A pledge that routes income, with how far its basis is settled. */
export interface IncomeRoute {
  readonly assetId: string;
  readonly kindId: number;
  /** `encumbrance/<id>`. */
  readonly ref: string;
  readonly holder: string;
  readonly beneficiary: string;
  units: bigint;
  settled: SettledNode | undefined;
}

/** A basis of rule 4: a holder's own units, or a route's. */
export type Basis = Position | IncomeRoute;

/** A basis that was settled in this block, in a denom. */
export interface Settlement {
  readonly accrual: MutableAccrual;
  readonly basis: Basis;
  readonly node: SettledNode;
}

/** Accruals, routes and how far bases are settled, in memory, and what a block has changed of them. */
export interface Ledger {
  getAccrual(assetId: string, kindId: number, denom: string): MutableAccrual | undefined;
  getRoute(ref: string): IncomeRoute | undefined;
  /** Whether there was such a route, which has ended and has nothing left to claim. */
  isOver(ref: string): boolean;
  /** Rule 3; the accrual exists from its first distribution on. */
  distribute(assetId: string, kindId: number, denom: string, amount: bigint, supply: bigint): MutableAccrual;
  /** Rule 4: settles a basis in every denom of the kind. */
  touch(assetId: string, kindId: number, basis: Basis): void;
  /** Settles a basis in one denom and pays all of it. */
  pay(accrual: MutableAccrual, basis: Basis): bigint;
  /** A pledge begins, or has other units from now on: touches the holder's own basis and the route's. */
  startRoute(route: Omit<IncomeRoute, 'units' | 'settled'>, units: bigint): void;
  changeRoute(route: IncomeRoute, units: bigint): void;
  readonly changed: {
    readonly accruals: ReadonlySet<MutableAccrual>;
    readonly routes: ReadonlySet<IncomeRoute>;
    readonly settlements: ReadonlyMap<SettledNode, Settlement>;
  };
  /** Also of ended routes of which nothing is left to claim. */
  forgetChanges(): void;
  /** Lets go of all such routes. */
  dropEnded(): void;
  /** Read back from their versions. */
  putAccrual(assetId: string, kindId: number, denom: string, values: AccrualValues): void;
  putRoute(route: IncomeRoute): void;
  putSettled(accrual: MutableAccrual, basis: Basis, lastIndex: bigint, accrued: bigint): void;
}

export type AccrualValues = IndexState &
  Pick<MutableAccrual, 'totalDistributed' | 'totalPaid' | 'distributions' | 'updatedHeight'>;

export function createLedger(rights: RightsState): Ledger {
  const kinds = new Map<string, MutableAccrual[]>();
  const routes = new Map<string, IncomeRoute>();
  /** Ended routes of which nothing is left to claim, by the ids of their encumbrances. */
  const over = createClosedRecords();
  const accruals = new Set<MutableAccrual>();
  const changedRoutes = new Set<IncomeRoute>();
  const settlements = new Map<SettledNode, Settlement>();

  const accrualsOf = (assetId: string, kindId: number) => kinds.get(`${assetId} ${kindId}`);
  const getAccrual = (assetId: string, kindId: number, denom: string) =>
    accrualsOf(assetId, kindId)?.find((each) => each.denom === denom);

  const addAccrual = (assetId: string, kindId: number, denom: string, values: AccrualValues) => {
    const others = accrualsOf(assetId, kindId) ?? [];
    const { index, carryScaled, totalDistributed, totalPaid, distributions, updatedHeight } = values;
    const made: MutableAccrual = {
      assetId: others[0]?.assetId ?? assetId,
      kindId,
      denom,
      denomIndex: others.length,
      index,
      carryScaled,
      totalDistributed,
      totalPaid,
      distributions,
      updatedHeight,
    };
    // in one order, before and after a restart
    const ofKind = [...others, made].sort((a, b) => (a.denom < b.denom ? -1 : 1));
    kinds.set(`${assetId} ${kindId}`, ofKind);
    return made;
  };

  const settle = (accrual: MutableAccrual, basis: Basis, accrued: bigint): void => {
    let node = nodeOf(basis, accrual);
    if (node === undefined) {
      if (accrual.index === 0n) return;
      node = addNode(basis, accrual.denomIndex, accrual.index, accrued);
    } else {
      if (node.lastIndex === accrual.index && node.accrued === accrued) return;
      node.lastIndex = accrual.index;
      node.accrued = accrued;
    }
    settlements.set(node, { accrual, basis, node });
  };

  const touch = (assetId: string, kindId: number, basis: Basis): void => {
    for (const accrual of accrualsOf(assetId, kindId) ?? []) settle(accrual, basis, totalOf(accrual, basis));
  };

  const setRouteUnits = (route: IncomeRoute, units: bigint): void => {
    const { assetId, kindId, holder } = route;
    touch(assetId, kindId, rights.positionOf(assetId, kindId, holder));
    touch(assetId, kindId, route);
    rights.changeRouted(assetId, kindId, holder, units - route.units);
    route.units = int256(units);
    changedRoutes.add(route);
  };

  const dropIfEnded = (route: IncomeRoute): void => {
    if (route.units !== 0n) return;
    for (let node = route.settled; node !== undefined; node = node.next) if (node.accrued !== 0n) return;
    routes.delete(route.ref);
    const id = idIn(route.ref);
    if (id !== undefined) over.set(id, 0);
  };

  return {
    getAccrual,
    getRoute: (ref) => routes.get(ref),
    isOver(ref) {
      const id = idIn(ref);
      return id !== undefined && over.get(id) !== undefined;
    },
    distribute(assetId, kindId, denom, amount, supply) {
      const accrual = getAccrual(assetId, kindId, denom) ?? addAccrual(assetId, kindId, denom, NOTHING);
      Object.assign(accrual, distribute(accrual, amount, supply));
      accrual.totalDistributed = int256(accrual.totalDistributed + amount);
      accrual.distributions++;
      accruals.add(accrual);
      return accrual;
    },
    touch,
    pay(accrual, basis) {
      const total = totalOf(accrual, basis);
      settle(accrual, basis, 0n);
      accrual.totalPaid = int256(accrual.totalPaid + total);
      accruals.add(accrual);
      return total;
    },
    startRoute(terms, units) {
      const route: IncomeRoute = { ...terms, units: 0n, settled: undefined };
      routes.set(route.ref, route);
      setRouteUnits(route, units);
    },
    changeRoute: setRouteUnits,
    changed: { accruals, routes: changedRoutes, settlements },
    forgetChanges() {
      for (const { basis } of settlements.values()) if (isRoute(basis)) dropIfEnded(basis);
      for (const route of changedRoutes) dropIfEnded(route);
      accruals.clear();
      changedRoutes.clear();
      settlements.clear();
    },
    dropEnded() {
      for (const route of routes.values()) dropIfEnded(route);
    },
    putAccrual: addAccrual,
    putRoute: (route) => {
      routes.set(route.ref, route);
    },
    putSettled: ({ denomIndex, index }, basis, lastIndex, accrued) => {
      // most are settled up to the index of now, which they share then
      addNode(basis, denomIndex, lastIndex === index ? index : lastIndex, accrued);
    },
  };
}

const NOTHING: AccrualValues = {
  index: 0n,
  carryScaled: 0n,
  totalDistributed: 0n,
  totalPaid: 0n,
  distributions: 0,
  updatedHeight: 0,
};

export function isRoute(basis: Basis): basis is IncomeRoute {
  return 'beneficiary' in basis;
}

/** The lock ref of an encumbrance, which names its route. */
export function routeRef(id: bigint): string {
  return `encumbrance/${id}`;
}

function idIn(ref: string): bigint | undefined {
  const digits = /^encumbrance\/(\d{1,20})$/.exec(ref)?.[1];
  return digits === undefined ? undefined : BigInt(digits);
}

function totalOf(accrual: MutableAccrual, basis: Basis): bigint {
  const { lastIndex, accrued } = nodeOf(basis, accrual) ?? UNSETTLED;
  const units = isRoute(basis) ? basis.units : basis.units - basis.routed;
  return int256(accrued + pendingIncome(units, accrual.index, lastIndex));
}

const UNSETTLED = { lastIndex: 0n, accrued: 0n };

function nodeOf({ settled }: Basis, { denomIndex }: MutableAccrual): SettledNode | undefined {
  let node = settled;
  while (node !== undefined && node.denomIndex !== denomIndex) node = node.next;
  return node;
}

function addNode(basis: Basis, denomIndex: number, lastIndex: bigint, accrued: bigint): SettledNode {
  const node: SettledNode = { denomIndex, lastIndex, accrued, next: basis.settled };
  basis.settled = node;
  return node;
}
