/**
 * Bounds the raw bytes between a fetch and its commit. A range reserves its estimate, corrects it when its size is
 * known, and gives it back when committed; memory then depends on the limit, not on the chain's length.
 */
export interface ByteBudget {
  readonly limitBytes: number;
  readonly usedBytes: number;
  /** Whether `bytes` fit now. A single range larger than the limit passes when nothing else is in flight. */
  fits(bytes: number): boolean;
  reserve(bytes: number): void;
  release(bytes: number): void;
  /** Resolves at the next release. */
  released(): Promise<void>;
}

export function createByteBudget(limitBytes: number): ByteBudget {
  let usedBytes = 0;
  let waiters: (() => void)[] = [];
  return {
    limitBytes,
    get usedBytes() {
      return usedBytes;
    },
    fits: (bytes) => usedBytes === 0 || usedBytes + bytes <= limitBytes,
    reserve(bytes) {
      usedBytes += bytes;
    },
    release(bytes) {
      usedBytes = Math.max(0, usedBytes - bytes);
      const woken = waiters;
      waiters = [];
      for (const wake of woken) wake();
    },
    released: () =>
      new Promise((resolve) => {
        waiters.push(resolve);
      }),
  };
}
