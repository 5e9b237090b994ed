/** Pauses between attempts: each is `growth` times the one before, up to the longest. */
export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
  /** 2 by default. */
  readonly growth?: number;
}

/** A power beyond this one is longer than any pause. */
const MAX_STEPS = 30;

/**
 * The pause after so many failures in a row, in milliseconds; 0 after none. With `random` (0 to 1) half to all of it, so
 * that those who failed together do not come back together.
 */
export function backoffMs(
  { firstMs, maxMs, growth = 2 }: Backoff,
  failures: number,
  random?: () => number,
): number {
  if (failures < 1) return 0;
  const fullMs = Math.min(maxMs, firstMs * growth ** Math.min(failures - 1, MAX_STEPS));
  return random === undefined ? fullMs : fullMs * (0.5 + random() / 2);
}
