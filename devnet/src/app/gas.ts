import { sdkError } from 'strata-kit/chain-error';
import type { GasMeter } from './module.ts';

/** Gas of a tx. Without a limit it never runs out: block hooks, genesis, simulations. */
export function createGasMeter(limit?: bigint): GasMeter {
  const most = limit ?? (1n << 63n) - 1n;
  // numbers, since a tx consumes gas some hundred times; what is beyond 2^53 runs out in any case
  const mostNumber = Number(most);
  let used = 0;
  return {
    limit: most,
    get used() {
      return BigInt(used);
    },
    consume(amount, what) {
      used += Number(amount);
      if (used > mostNumber) {
        throw sdkError(
          'outOfGas',
          `out of gas in location: ${what}; gasWanted: ${most}, gasUsed: ${used}: out of gas`,
        );
      }
    },
  };
}
