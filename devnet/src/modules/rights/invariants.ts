import type { Reader } from '../../state/state.ts';
import { LOCKS, POSITIONS, SUPPLIES } from './positions.ts';

/** Supply is the sum of positions; locks add up to what a position has encumbered, which is at most its units. */
export function rightsInvariants(reader: Reader): string[] {
  const wrong: string[] = [];
  const locked = new Map<string, bigint>();
  for (const [key, units] of reader.entries(LOCKS)) {
    if (units <= 0n) wrong.push(`rights: lock ${key} of ${units} units`);
    const [assetId, kindId, holder] = key.split('|');
    const place = `${assetId}|${kindId}|${holder}`;
    locked.set(place, (locked.get(place) ?? 0n) + units);
  }
  const sums = new Map<string, bigint>();
  for (const [key, { units, encumbered }] of reader.entries(POSITIONS)) {
    const [assetId, kindId] = key.split('|');
    const kind = `${assetId}|${kindId}`;
    sums.set(kind, (sums.get(kind) ?? 0n) + units);
    const sum = locked.get(key) ?? 0n;
    locked.delete(key);
    if (units <= 0n) wrong.push(`rights: position ${key} of ${units} units`);
    if (sum !== encumbered)
      wrong.push(`rights: position ${key} has ${encumbered} encumbered, locks of ${sum}`);
    if (encumbered > units)
      wrong.push(`rights: position ${key} has ${encumbered} of ${units} units encumbered`);
  }
  for (const [key, sum] of locked) wrong.push(`rights: locks of ${sum} units without a position: ${key}`);
  for (const [kind, supply] of reader.entries(SUPPLIES)) {
    const sum = sums.get(kind) ?? 0n;
    sums.delete(kind);
    if (sum !== supply) wrong.push(`rights: supply of ${kind} is ${supply}, positions add up to ${sum}`);
  }
  for (const [kind, sum] of sums) wrong.push(`rights: ${kind} has no supply, positions add up to ${sum}`);
  return wrong;
}
