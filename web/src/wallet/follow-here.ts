import type { ChainFacts } from '../data/chain.ts';
import { told, v1 } from '../data/client.ts';
import { status } from '../data/live.ts';
import { chainAccess } from './access.ts';
import type { FollowedAt } from './follow.ts';
import { loadTypes } from './load-types.ts';
import { accountState } from './prepare.ts';

/** A tx by its hash, or 0x and its Ethereum hash. A lookup tells nothing of one that is not indexed yet, and no error either. */
export function followedHere(
  hash: string,
  chain: ChainFacts,
  sent: { readonly address: string; readonly sequence: bigint } | undefined,
): FollowedAt {
  return {
    async find() {
      const { candidates } = await told(v1.GET('/v1/lookup/{q}', { params: { path: { q: hash } } }));
      const found = candidates.find(({ type }) => type === 'tx');
      if (found === undefined) return undefined;
      return await told(v1.GET('/v1/txs/{hash}', { params: { path: { hash: String(found.id) } } }));
    },
    async isIncluded() {
      if (sent === undefined) return false;
      const state = await accountState(await loadTypes(chain.namespace), chainAccess, sent.address);
      return state !== undefined && state.sequence > sent.sequence;
    },
    indexedHeight: () => status.value?.indexed_height ?? 0,
  };
}
