import { chainAtHand } from './chain.ts';
import { type Asked, type AskOptions, useAsk } from './queries.ts';

/**
 * As `useAsk`, for an answer with amounts: it waits for the chain's denoms and decimals, which are asked for once a visit
 * and at the same time. Names and kinds of assets are not waited for: `parts/coming.tsx` keeps their room.
 */
export function useAnswer<T>(
  key: readonly unknown[],
  ask: (signal: AbortSignal) => Promise<T>,
  options?: AskOptions,
): Asked<T> {
  return useAsk(key, (signal) => withChain(ask(signal)), options);
}

async function withChain<T>(asked: Promise<T>): Promise<T> {
  const [answer] = await Promise.all([asked, chainAtHand()]);
  return answer;
}
