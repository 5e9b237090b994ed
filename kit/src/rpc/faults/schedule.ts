import { LRUCache } from 'lru-cache';

/**
 * When a fault happens: decided by the seed, the request and how often it was asked before, never by time, so that one
 * number brings a run's faults back whatever the machine does.
 */
export interface FaultSchedule {
  /** Counts this request; what is decided for it. */
  begin(request: string): Dice;
  /** Decided for the whole run. */
  readonly run: Dice;
}

export interface Dice {
  /** 0 to 1, the same for the same purpose. */
  share(purpose: string): number;
  /** A whole number from 0 to below `count`. */
  pick(purpose: string, count: number): number;
}

/** Beyond so many different requests the oldest are taken for new ones. */
const MAX_REQUESTS = 100_000;

export function createFaultSchedule(seed: number): FaultSchedule {
  const attempts = new LRUCache<string, number>({ max: MAX_REQUESTS });
  return {
    begin(request) {
      const key = String(mix(request));
      const attempt = (attempts.get(key) ?? 0) + 1;
      attempts.set(key, attempt);
      return dice(`${seed} ${key} ${attempt}`);
    },
    run: dice(String(seed)),
  };
}

function dice(of: string): Dice {
  const share = (purpose: string): number => mix(`${of} ${purpose}`) / 2 ** 32;
  return { share, pick: (purpose, count) => Math.floor(share(purpose) * count) };
}

/** 32 bits: FNV-1a, and the last steps of MurmurHash3 for texts that differ little. */
function mix(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
