import type { Block } from './types.ts';

/** An event with its attributes, as text in memory. */
const EVENT_BYTES = 600;

/** Bytes that a block takes in memory, roughly: for caches, which a few large blocks would fill otherwise. */
export function blockWeight({ sizeBytes, results, events }: Block): number {
  let weight = 1_000 + sizeBytes + events.length * EVENT_BYTES;
  for (const result of results)
    weight += result.data.length + result.log.length + result.events.length * EVENT_BYTES;
  return weight;
}
