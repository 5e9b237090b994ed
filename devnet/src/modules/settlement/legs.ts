import { AMOUNT_LIMIT } from '../../app/amounts.ts';
import type { Fields } from '../fields.ts';
import { refuse } from './codes.ts';
import { coinsOf, DIRECTIONS, type Leg, rightsOf } from './records.ts';

/** A settlement moves in one block, all of it; one of more legs is refused (settlement/2). */
export const MAX_LEGS = 64;

/** At least one; the sums of a side stay below 2^255. */
export function readLegs(fields: Fields): Leg[] {
  const legs = fields.messages('legs').map(readLeg);
  if (legs.length === 0) throw refuse('invalid', 'no legs');
  if (legs.length > MAX_LEGS) throw refuse('invalid', `${legs.length} legs, more than ${MAX_LEGS}`);
  for (const direction of DIRECTIONS) {
    const sums = [
      ...rightsOf(legs, direction).map(({ units }) => units),
      ...coinsOf(legs, direction).map(({ amount }) => amount),
    ];
    if (sums.some((sum) => sum >= AMOUNT_LIMIT)) throw refuse('invalid', 'legs: a sum is not below 2^255');
  }
  return legs;
}

export function readLeg(leg: Fields): Leg {
  const direction = leg.choice('direction', DIRECTIONS);
  const right = leg.inner('right');
  if (right === undefined) return { direction, coin: leg.coin('coin') };
  return {
    direction,
    right: { assetId: right.assetId(), kindId: right.small('kind_id'), units: right.positive('units') },
  };
}
