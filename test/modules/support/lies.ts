import type { BlockFacts, EventFact } from '../../../src/derive/facts.ts';
import { type Random, seededRandom } from '../../support/random.ts';

/** Facts that nobody should be told. */

const AMOUNT_END = 1n << 255n;

/**
 * The blocks with events left out, doubled, and with other values: some that a chain could tell, some that no proto
 * allows. `maxAmount` bounds the amounts that are told.
 */
export function withLies(
  blocks: readonly BlockFacts[],
  seed: number,
  maxAmount: bigint = AMOUNT_END - 1n,
): BlockFacts[] {
  const random = seededRandom(seed);
  const isNow = (times: number): boolean => random.between(1, times) === 1;
  return blocks.map((block) => ({
    ...block,
    events: block.events.flatMap((event) => {
      if (isNow(30)) return [];
      const told = isNow(8) ? lied(event, random, maxAmount) : event;
      return isNow(40) ? [told, told] : [told];
    }),
  }));
}

function lied(event: EventFact, random: Random, maxAmount: bigint): EventFact {
  const fields = JSON.parse(event.decoded) as Record<string, unknown>;
  const names = Object.keys(fields);
  const name = names[random.between(0, names.length - 1)];
  if (name === undefined) return event;
  const value = fields[name];
  const other = otherThan(value, random, maxAmount);
  const rest = Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));
  return { ...event, decoded: JSON.stringify(other === undefined ? rest : { ...fields, [name]: other }) };
}

/** Undefined: without the field. */
function otherThan(value: unknown, random: Random, maxAmount: bigint): unknown {
  const numbers = ['0', '1', String(maxAmount), String(maxAmount / 3n), '18446744073709551615'].filter(
    (digits) => BigInt(digits) <= maxAmount,
  );
  const foreign = [undefined, null, '', -1, 1.5, '-1', '1e9', String(AMOUNT_END), 'x', [], {}, [null], true];
  const isForeign = random.between(1, 4) === 1;
  const values = isForeign
    ? foreign
    : typeof value === 'string' && /^\d+$/.test(value)
      ? numbers
      : typeof value === 'number'
        ? [0, 1, 7, 4_294_967_295]
        : typeof value === 'boolean'
          ? [!value]
          : Array.isArray(value)
            ? [[], [...value, ...value], value.slice(1)]
            : ['another', '', value];
  return values[random.between(0, values.length - 1)];
}
