import type { BlockAt, Derivation, EventContext } from '../../derive/derivation.ts';
import { on } from '../../derive/derivation.ts';
import { int256 } from '../../derive/int256.ts';
import { assetDerivation } from '../asset/derivation.ts';
import { POOL_REDEEMED } from '../waterfall/events.ts';
import { ISSUED, LOCKED, REDEEMED, type Redeemed, TRANSFERRED, UNLOCKED } from './events.ts';
import { HOLDER_ORDER_ROLL_UP } from './holder-order.ts';
import { createHoldings } from './holdings.ts';
import type { RightsState } from './state.ts';
import {
  HOLDER_ORDER,
  HOLDER_ORDER_SUMS,
  KIND_TOTALS,
  LOCKS,
  LOCKS_BY_HOLDER,
  POSITIONS,
  POSITIONS_BY_HOLDER,
} from './tables.ts';
import { restoreHoldings, versionWriter } from './versions.ts';

interface OfKind {
  readonly assetId: string;
  readonly kindId: number;
}

type Burn = Pick<Redeemed, 'assetId' | 'kindId' | 'holder' | 'units' | 'supplyAfter' | 'holderUnitsAfter'>;

/** Who has what: units, locks, supply and holder counts, from the events of rule 0 of modules.md alone. */
export const rightsDerivation: Derivation<RightsState> = {
  module: 'rights',
  tables: [
    POSITIONS,
    POSITIONS_BY_HOLDER,
    LOCKS,
    LOCKS_BY_HOLDER,
    KIND_TOTALS,
    HOLDER_ORDER,
    HOLDER_ORDER_SUMS,
  ],
  rollUps: [HOLDER_ORDER_ROLL_UP],
  reads: ['asset'],
  open(setup) {
    const holdings = createHoldings();
    const write = versionWriter(setup, holdings);
    const assets = setup.stateOf(assetDerivation);
    const isKnown = ({ assetId, kindId }: OfKind) => assets.getKind(assetId, kindId) !== undefined;

    const redeem = ({ assetId, kindId, holder, units, ...told }: Burn, { compare }: EventContext): void => {
      const kind = holdings.kindOf(assetId, kindId);
      const position = holdings.changeUnits(kind, holder, -units);
      kind.supply = int256(kind.supply - units);
      compare('supply_after', kind.supply, told.supplyAfter);
      compare('holder_units_after', position.units, told.holderUnitsAfter);
    };

    return {
      state: holdings,
      handlers: [
        on(
          ISSUED,
          ({ assetId, kindId, recipient, units, ...told }, { compare }) => {
            const kind = holdings.kindOf(assetId, kindId);
            const position = holdings.changeUnits(kind, recipient, units);
            kind.supply = int256(kind.supply + units);
            compare('supply_after', kind.supply, told.supplyAfter);
            compare('recipient_units_after', position.units, told.recipientUnitsAfter);
          },
          isKnown,
        ),
        on(
          TRANSFERRED,
          ({ assetId, kindId, from, to, units, ...told }, { compare }) => {
            const kind = holdings.kindOf(assetId, kindId);
            const left = holdings.changeUnits(kind, from, -units);
            const reached = holdings.changeUnits(kind, to, units);
            compare('from_units_after', left.units, told.fromUnitsAfter);
            compare('to_units_after', reached.units, told.toUnitsAfter);
          },
          isKnown,
        ),
        on(REDEEMED, redeem, isKnown),
        // the event is waterfall's, which says whether the kind is known
        on(POOL_REDEEMED, redeem),
        on(
          LOCKED,
          ({ assetId, kindId, holder, ref, units, lockedAfter }, { compare }) => {
            const left = holdings.changeLock(holdings.kindOf(assetId, kindId), holder, ref, units);
            compare('locked_after', left, lockedAfter);
          },
          isKnown,
        ),
        on(
          UNLOCKED,
          ({ assetId, kindId, holder, ref, units, lockedAfter }, { compare }) => {
            const left = holdings.changeLock(holdings.kindOf(assetId, kindId), holder, ref, -units);
            compare('locked_after', left, lockedAfter);
          },
          isKnown,
        ),
      ],
      endBlock(block: BlockAt) {
        write(block.height);
        holdings.forgetChanges();
      },
      restore: (versions) => restoreHoldings(holdings, versions),
    };
  },
};
