import type { Chain } from '../comet/types.ts';

/** The chain with some of its answers replaced. Getters stay getters: what they give may change. */
export function viewOf(chain: Chain, replaced: Partial<Chain>): Chain {
  return Object.create(chain, Object.getOwnPropertyDescriptors(replaced)) as Chain;
}
