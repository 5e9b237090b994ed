import { utf8ToBytes } from 'strata-kit/bytes';
import { sha256 } from 'strata-kit/hash';

/** A seeded source of numbers: the same on every machine, since it is made of 32-bit integer steps alone. */
export interface Random {
  /** An integer in [0, below); below is 1 to 2^32. */
  below(below: number): number;
  /** An integer in [from, to]. */
  between(from: number, to: number): number;
  /** True once in `n` times. */
  oneIn(n: number): boolean;
  /** Errors: TypeError for an empty list. */
  pick<T>(items: readonly T[]): T;
  /** The list in another order. */
  shuffle<T>(items: readonly T[]): T[];
  /** `weights[i]` to 1 over their sum: the index drawn. Weights are integers, of which one is above 0. */
  weighted(weights: readonly number[]): number;
  bytes(length: number): Uint8Array;
}

/** sfc32 (Chris Doty-Humphrey's PractRand), its state the first 16 bytes of the SHA-256 of the seed's text. */
export function createRandom(seed: string): Random {
  const start = Buffer.from(sha256(utf8ToBytes(seed)));
  let a = start.readUInt32LE(0);
  let b = start.readUInt32LE(4);
  let c = start.readUInt32LE(8);
  let counter = start.readUInt32LE(12);

  function next(): number {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return sum >>> 0;
  }

  function below(limit: number): number {
    if (!Number.isInteger(limit) || limit < 1 || limit > 2 ** 32)
      throw new RangeError(`no number below ${limit}`);
    // the last, incomplete run of `limit` would favour small numbers
    const end = 2 ** 32 - (2 ** 32 % limit);
    for (;;) {
      const value = next();
      if (value < end) return value % limit;
    }
  }

  const between = (from: number, to: number): number => from + below(to - from + 1);

  return {
    below,
    between,
    oneIn: (n) => below(n) === 0,
    pick: (items) => {
      if (items.length === 0) throw new TypeError('nothing to pick from');
      return items[below(items.length)] as (typeof items)[number];
    },
    shuffle: (items) => {
      const shuffled = [...items];
      for (let i = shuffled.length - 1; i > 0; i--) {
        const j = below(i + 1);
        const kept = shuffled[i] as (typeof items)[number];
        shuffled[i] = shuffled[j] as (typeof items)[number];
        shuffled[j] = kept;
      }
      return shuffled;
    },
    weighted: (weights) => {
      let drawn = below(weights.reduce((sum, weight) => sum + weight, 0));
      for (let i = 0; i < weights.length; i++) {
        drawn -= weights[i] as number;
        if (drawn < 0) return i;
      }
      throw new RangeError('weights do not add up');
    },
    bytes: (length) => Uint8Array.from({ length }, () => below(256)),
  };
}
