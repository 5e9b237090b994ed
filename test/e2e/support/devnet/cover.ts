import type { Json } from './history.ts';

/**
 * Of things that are answered about, as few as have between them whatever any of their expected answers has: each field
 * with each word that it takes, zero or not, and each list empty, with one row and with several. Everything twice.
 */
export async function covering<T>(
  things: readonly T[],
  answerOf: (thing: T) => Json | Promise<Json>,
): Promise<T[]> {
  const counts = new Map<string, number>();
  const chosen: T[] = [];
  for (const thing of things) {
    const traits = new Set<string>();
    addTraits(await answerOf(thing), '', traits);
    if (![...traits].some((trait) => (counts.get(trait) ?? 0) < TIMES)) continue;
    chosen.push(thing);
    for (const trait of traits) counts.set(trait, (counts.get(trait) ?? 0) + 1);
  }
  return chosen;
}

const TIMES = 2;

function addTraits(value: Json, path: string, traits: Set<string>): void {
  if (Array.isArray(value)) {
    traits.add(`${path} has ${Math.min(2, value.length)}`);
    for (const part of value) addTraits(part, `${path}[]`, traits);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value)) {
      // of maps by denom and the like the parts are alike
      addTraits(part, /^[a-z0-9_]+$/.test(key) ? `${path}.${key}` : `${path}.*`, traits);
    }
  } else {
    traits.add(`${path} is ${classOf(value)}`);
  }
}

function classOf(value: Json): string {
  if (typeof value !== 'string') return typeof value === 'number' ? String(Math.sign(value)) : String(value);
  if (/^-?\d+$/.test(value)) return /^0+$/.test(value) ? 'zero' : 'digits';
  // statuses and kinds, no texts of people and no ids
  return /^[A-Z_]{3,}$|^[a-z_]{3,24}$/.test(value) ? value : value === '' ? 'empty' : 'text';
}
