import type { Derivation } from '../../derive/derivation.ts';
import { on } from '../../derive/derivation.ts';
import { assetDerivation } from '../asset/derivation.ts';
import { ESCROW_INCOME_SWEPT } from '../bridge/events.ts';
import {
  ENCUMBRANCE_CREATED,
  ENCUMBRANCE_EXERCISED,
  ENCUMBRANCE_EXPIRED,
  ENCUMBRANCE_RELEASED,
  type EncumbranceEvent,
} from '../encumbrance/events.ts';
import { rightsDerivation } from '../rights/derivation.ts';
import { CLAIMED, DISTRIBUTED } from './events.ts';
import { createLedger, isRoute, routeRef } from './ledger.ts';
import type { PayoutState } from './state.ts';
import {
  ACCRUALS,
  DISTRIBUTIONS,
  INCOME_ROUTES,
  INCOME_ROUTES_BY_BENEFICIARY,
  SETTLED_INCOME,
  SETTLED_INCOME_BY_ACCOUNT,
} from './tables.ts';
import { distributionWriter, restoreLedger, versionWriter } from './versions.ts';

/** Who has earned what of a kind's income (modules.md rules 3 to 5). */
export const payoutDerivation: Derivation<PayoutState> = {
  module: 'payout',
  tables: [
    ACCRUALS,
    DISTRIBUTIONS,
    SETTLED_INCOME,
    SETTLED_INCOME_BY_ACCOUNT,
    INCOME_ROUTES,
    INCOME_ROUTES_BY_BENEFICIARY,
  ],
  reads: ['asset', 'rights'],
  open(setup) {
    const rights = setup.stateOf(rightsDerivation);
    const assets = setup.stateOf(assetDerivation);
    const ledger = createLedger(rights);
    const write = versionWriter(setup, ledger);
    const writeDistribution = distributionWriter(setup);
    rights.beforeUnitsChange(ledger.touch);
    let swept = 0n;

    /** The pledge's units are not the holder's to earn on any more, or are again. */
    const changeRoute = ({ id }: EncumbranceEvent, unitsAfter: (before: bigint) => bigint): void => {
      const route = ledger.getRoute(routeRef(id));
      // one that has ended stays as it ended, as its encumbrance does
      if (route === undefined || route.units === 0n) return;
      const units = unitsAfter(route.units);
      ledger.changeRoute(route, units > 0n ? units : 0n);
    };
    /** A route is of one kind: under another one's name there is none. */
    const hasRoute = (assetId: string, kindId: number, ref: string): boolean => {
      const route = ledger.getRoute(ref);
      return route === undefined ? ledger.isOver(ref) : route.assetId === assetId && route.kindId === kindId;
    };
    const endRoute = (event: EncumbranceEvent): void => changeRoute(event, () => 0n);

    return {
      state: { getAccrual: ledger.getAccrual, sweptNow: () => swept },
      handlers: [
        on(
          DISTRIBUTED,
          (event, context) => {
            const { assetId, kindId, denom, amount } = event;
            const supply = rights.getKind(assetId, kindId)?.supply ?? 0n;
            const accrual = ledger.distribute(assetId, kindId, denom, amount, supply);
            accrual.updatedHeight = context.height;
            context.compare('new_index', accrual.index, event.newIndex);
            context.compare('carry_scaled', accrual.carryScaled, event.carryScaled);
            context.compare('supply', supply, event.supply);
            writeDistribution(event, accrual, supply, context);
          },
          ({ assetId, kindId }) => assets.getKind(assetId, kindId) !== undefined,
        ),
        on(
          CLAIMED,
          ({ assetId, kindId, denom, holder, ref, amount }, { compare, height }) => {
            const accrual = ledger.getAccrual(assetId, kindId, denom);
            const basis = ref === '' ? rights.getPosition(assetId, kindId, holder) : ledger.getRoute(ref);
            if (accrual === undefined) return;
            if (basis !== undefined) accrual.updatedHeight = height;
            // who has left and was paid has nothing to claim, and is not held in memory
            compare('amount', basis === undefined ? 0n : ledger.pay(accrual, basis), amount);
          },
          ({ assetId, kindId, denom, ref }) =>
            ledger.getAccrual(assetId, kindId, denom) !== undefined &&
            (ref === '' || hasRoute(assetId, kindId, ref)),
        ),
        on(ESCROW_INCOME_SWEPT, ({ assetId, kindId, denom, escrowAddress, amount }, { compare }) => {
          const accrual = ledger.getAccrual(assetId, kindId, denom);
          const basis = rights.getPosition(assetId, kindId, escrowAddress);
          swept = accrual === undefined || basis === undefined ? 0n : ledger.pay(accrual, basis);
          compare('amount', swept, amount);
        }),
        // whether an encumbrance is known, its own module says
        on(
          ENCUMBRANCE_CREATED,
          ({ id, assetId, kindId, holder, units, beneficiary, incomeToBeneficiary }) => {
            const ref = routeRef(id);
            if (!incomeToBeneficiary || ledger.getRoute(ref) !== undefined) return;
            ledger.startRoute({ assetId, kindId, ref, holder, beneficiary }, units);
          },
        ),
        on(ENCUMBRANCE_RELEASED, (event) => changeRoute(event, (before) => before - event.units)),
        on(ENCUMBRANCE_EXERCISED, endRoute),
        on(ENCUMBRANCE_EXPIRED, endRoute),
      ],
      endBlock({ height }) {
        write(height);
        for (const { accrual, basis } of ledger.changed.settlements.values()) {
          if (!isRoute(basis)) rights.dropIfEmpty(accrual.assetId, accrual.kindId, basis);
        }
        ledger.forgetChanges();
      },
      restore: (versions) => restoreLedger(ledger, rights, versions),
    };
  },
};
