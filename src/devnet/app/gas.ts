import { sdkError } from './errors.ts';
import type { GasMeter } from './module.ts';

/** Gas of a tx. A limit of undefined never runs out: block hooks, genesis. */
export function createGasMeter(limit: bigint | undefined): GasMeter {
  const most = limit ?? (1n << 64n) - 1n;
  let used = 0n;
  return {
    limit: most,
    get used() {
      return used;
    },
    consume(amount, what) {
      used += BigInt(amount);
      if (used > most) {
        throw sdkError(
          'outOfGas',
          `out of gas in location: ${what}; gasWanted: ${most}, gasUsed: ${used}: out of gas`,
        );
      }
    },
  };
}
