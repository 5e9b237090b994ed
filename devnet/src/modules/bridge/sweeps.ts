import type { Context } from '../../app/module.ts';
import { requireAsset } from '../asset/keeper.ts';
import { claimables, sweep } from '../payout/keeper.ts';
import { allRoutes, kindsOf } from './routes.ts';

/** Escrowed units earn like any others; what they earn goes to the issuer in every block of this many. */
const SWEEP_BLOCKS = 50;

/** EndBlock: per route in the order of ids, per kind and denom with something to claim (modules.md, rule 8). */
export function sweepEscrows(context: Context): void {
  if (context.height % SWEEP_BLOCKS !== 0) return;
  for (const route of allRoutes(context.state)) {
    if (route.direction !== 'DIRECTION_RIGHT_OUT') continue;
    const { issuer } = requireAsset(context, route.assetId);
    for (const kindId of kindsOf(context.state, route)) {
      // somebody may have pledged to the address before it was an escrow
      const own = claimables(context.state, route.assetId, kindId, route.escrowAddress).filter(
        ({ ref }) => ref === '',
      );
      for (const { denom } of own) {
        const amount = sweep(context, route.assetId, kindId, denom, route.escrowAddress, issuer);
        context.emit('bridge.EventEscrowIncomeSwept', {
          route_id: route.routeId,
          escrow_address: route.escrowAddress,
          recipient: issuer,
          asset_id: route.assetId,
          kind_id: kindId,
          denom,
          amount: String(amount),
        });
      }
    }
  }
}
