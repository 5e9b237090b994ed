import { base64, hex } from '@scure/base';
import type { ChainFacts } from '../data/chain.ts';
import { told, v1 } from '../data/client.ts';
import { status } from '../data/live.ts';
import { chainAccess } from './access.ts';
import { searchAtSequence } from './at-sequence.ts';
import type { ChainTypes } from './chain-types.ts';
import type { FollowedAt } from './follow.ts';
import { loadTypes } from './load-types.ts';
import type { PendingTx } from './pending.ts';
import { accountState } from './prepare.ts';
import { resend } from './send.ts';

const PAGE = 100;

/** A tx that this page or an earlier one has sent. A lookup tells nothing of one that is not indexed yet, and no error either. */
export function followedHere(pending: PendingTx, chain: ChainFacts): FollowedAt {
  const { hash, address } = pending;
  const search = searchAtSequence(pending, (cursor) =>
    told(
      v1.GET('/v1/accounts/{addr}/txs', {
        params: {
          path: { addr: address },
          query: { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) },
        },
      }),
    ),
  );
  return {
    signedHeight: pending.signedHeight,
    sequenceBy: pending.bytes === null ? 'wallet' : 'page',
    hasHash: hash !== null,
    async find() {
      if (hash === null) return undefined;
      const { candidates } = await told(v1.GET('/v1/lookup/{q}', { params: { path: { q: hash } } }));
      const found = candidates.find(({ type }) => type === 'tx');
      if (found === undefined) return undefined;
      return await told(v1.GET('/v1/txs/{hash}', { params: { path: { hash: String(found.id) } } }));
    },
    next: async () => await accountState(await loadTypes(chain.namespace), chainAccess, address),
    async atSequence(usedAt) {
      const types = await loadTypes(chain.namespace);
      return await search(usedAt, (tx) => randomOf(tx, types));
    },
    indexedHeight: () => status.value?.indexed_height ?? 0,
    resend: () => resend(chainAccess, pending),
  };
}

/** The r of our signature, in hex: another form of it has another s or one byte more, another tx has another r. */
function randomOf({ bytes }: PendingTx, types: ChainTypes): string | undefined {
  if (bytes === null) return undefined;
  const { signatures } = types.decode('cosmos.tx.v1beta1.TxRaw', base64.decode(bytes));
  const [first] = Array.isArray(signatures) ? signatures : [];
  return typeof first === 'string' ? hex.encode(base64.decode(first).subarray(0, 32)) : undefined;
}
