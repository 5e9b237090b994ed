/** Random numbers that are the same for a seed (mulberry32). */
export interface Random {
  /** An integer from low to high, both included. */
  between(low: number, high: number): number;
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { between: (low, high) => low + Math.floor(next() * (high - low + 1)) };
}
