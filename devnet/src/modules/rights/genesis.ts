import type { JsonObject } from 'strata-kit/proto-json';
import type { Context } from '../../app/module.ts';
import { fieldsOf } from '../fields.ts';
import { rightsError } from './codes.ts';
import { kindKey, LOCKS, POSITIONS, positionKey, SUPPLIES } from './positions.ts';

/** Takes what the query Export answers: positions with their locks, and supplies, which the invariants compare. */
export function initRights(context: Context, genesis: JsonObject): void {
  const { state, parameters } = context;
  const fields = fieldsOf(genesis, parameters.hrp, rightsError);
  for (const item of fields.messages('positions')) {
    const key = positionKey(item.assetId(), item.small('kind_id'), item.address('holder'));
    let encumbered = 0n;
    for (const lock of item.messages('locks')) {
      const units = lock.positive('units');
      state.set(LOCKS, `${key}|${lock.text('ref')}`, units);
      encumbered += units;
    }
    state.set(POSITIONS, key, { units: item.positive('units'), encumbered });
  }
  for (const item of fields.messages('supplies')) {
    const supply = item.amount('supply');
    if (supply > 0n) state.set(SUPPLIES, kindKey(item.assetId(), item.small('kind_id')), supply);
  }
}
