import { base64, hex } from '@scure/base';
import type { Tx, TxPage } from '../../../clients/ts/src/client.ts';
import type { ChainFacts } from '../data/chain.ts';
import { told, v1 } from '../data/client.ts';
import { status } from '../data/live.ts';
import { chainAccess } from './access.ts';
import type { ChainTypes } from './chain-types.ts';
import type { FollowedAt } from './follow.ts';
import { loadTypes } from './load-types.ts';
import type { PendingTx } from './pending.ts';
import { accountState } from './prepare.ts';
import { resend } from './send.ts';

const PAGE = 100;
/** Pages of the account's txs that are looked through; an account with more since then is decided by its hash alone. */
const PAGES = 3;

/** A tx that this page or an earlier one has sent. A lookup tells nothing of one that is not indexed yet, and no error either. */
export function followedHere(pending: PendingTx, chain: ChainFacts): FollowedAt {
  const { hash, address } = pending;
  return {
    async find() {
      if (hash === null) return undefined;
      const { candidates } = await told(v1.GET('/v1/lookup/{q}', { params: { path: { q: hash } } }));
      const found = candidates.find(({ type }) => type === 'tx');
      if (found === undefined) return undefined;
      return await told(v1.GET('/v1/txs/{hash}', { params: { path: { hash: String(found.id) } } }));
    },
    next: async () => await accountState(await loadTypes(chain.namespace), chainAccess, address),
    atSequence: async () => await txAtSequence(pending, await loadTypes(chain.namespace)),
    indexedHeight: () => status.value?.indexed_height ?? 0,
    resend: () => resend(chainAccess, pending),
  };
}

/** Errors: AskError; Error when there are too many txs to look through. */
async function txAtSequence(pending: PendingTx, types: ChainTypes) {
  const { address, signedHeight } = pending;
  const random = randomOf(pending, types);
  let other: string | undefined;
  let cursor: string | null = null;
  for (let page = 0; page < PAGES; page++) {
    const query: { limit: number; cursor?: string } = { limit: PAGE, ...(cursor === null ? {} : { cursor }) };
    const list: TxPage = await told(
      v1.GET('/v1/accounts/{addr}/txs', { params: { path: { addr: address }, query } }),
    );
    for (const tx of list.txs) {
      if (tx.height <= signedHeight) return { same: undefined, other };
      if (!isAt(tx, pending)) continue;
      if (random !== undefined && signaturesOf(tx).includes(random)) return { same: tx };
      other ??= tx.evm?.eth_hash ?? tx.hash;
    }
    cursor = list.next_cursor;
    if (cursor === null) return { same: undefined, other };
  }
  throw new Error(`the account has more than ${PAGE * PAGES} transactions since block ${signedHeight}`);
}

/** A node tells the sequence of an ordinary tx, not of an Ethereum one: any of those by the account may have it. */
function isAt(tx: Tx, { address, sequence, bytes }: PendingTx): boolean {
  if (attributesOf(tx, 'acc_seq').includes(`${address}/${sequence}`)) return true;
  return bytes === null && tx.evm !== null;
}

/** The r of our signature, in hex: another form of it has another s or one byte more, another tx has another r. */
function randomOf({ bytes }: PendingTx, types: ChainTypes): string | undefined {
  if (bytes === null) return undefined;
  const { signatures } = types.decode('cosmos.tx.v1beta1.TxRaw', base64.decode(bytes));
  const [first] = Array.isArray(signatures) ? signatures : [];
  return typeof first === 'string' ? hex.encode(base64.decode(first).subarray(0, 32)) : undefined;
}

function signaturesOf(tx: Tx): readonly string[] {
  return attributesOf(tx, 'signature').map((text) => hex.encode(base64.decode(text).subarray(0, 32)));
}

function attributesOf({ events }: Tx, key: string): readonly string[] {
  return events
    .filter(({ type }) => type === 'tx')
    .flatMap(({ attributes }) => attributes)
    .filter((attribute) => attribute.key === key)
    .map(({ value }) => value ?? '');
}
