import type { ChainParameters } from '../../app/parameters.ts';
import type { Reader } from '../../state/state.ts';
import { accountProblems } from '../accounts.ts';
import { assets } from '../asset/keeper.ts';
import { kindKey, positionRecord } from '../rights/positions.ts';
import { ownHolders, routedAway, SCALE, sumClaimable } from './bases.ts';
import { payoutAddress } from './keeper.ts';
import { accruals, routesOf } from './records.ts';

/**
 * What is held covers what may be claimed and the carry; the module account has exactly what is held; what is routed
 * away is the sum of the routes, and locked.
 */
export function payoutInvariants(reader: Reader, parameters: ChainParameters): string[] {
  const wrong: string[] = [];
  const held = new Map<string, bigint>();
  for (const { id, kinds } of assets(reader)) {
    for (const of of accruals(reader, id)) {
      const moduleHeld = of.totalDistributed - of.totalPaid;
      held.set(of.denom, (held.get(of.denom) ?? 0n) + moduleHeld);
      const owed = sumClaimable(reader, id, of) + of.carryScaled / SCALE;
      if (moduleHeld < owed)
        wrong.push(`payout: ${kindKey(id, of.kindId)} holds ${moduleHeld}${of.denom}, ${owed} are owed`);
    }
    for (const { kindId } of kinds) wrong.push(...wrongRoutes(reader, id, kindId));
  }
  wrong.push(...accountProblems(reader, payoutAddress(parameters), held));
  return wrong;
}

function wrongRoutes(reader: Reader, assetId: string, kindId: number): string[] {
  const routed = new Map<string, bigint>();
  for (const { holder, units } of routesOf(reader, assetId, kindId))
    routed.set(holder, (routed.get(holder) ?? 0n) + units);
  return [...new Set([...routed.keys(), ...ownHolders(reader, assetId, kindId)])].flatMap((holder) => {
    const sum = routed.get(holder) ?? 0n;
    const away = routedAway(reader, assetId, kindId, holder);
    const { encumbered } = positionRecord(reader, assetId, kindId, holder);
    return sum === away && away <= encumbered
      ? []
      : [
          `payout: ${holder} has ${away} units of ${kindKey(assetId, kindId)} routed away, ${encumbered} locked, routes of ${sum}`,
        ];
  });
}
