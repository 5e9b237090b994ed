import type { Codec } from '../codec/codec.ts';
import { accountState } from './accounts.ts';
import { contentOf, hasSameContent, type TxBody } from './content.ts';
import type { Included, Node } from './node.ts';
import { txHash } from './tx.ts';

/**
 * The rules for whoever sends a tx, so that nothing is paid twice:
 *
 * 1. The hash is made of the signed bytes, and both are written down before the first broadcast.
 * 2. Only the chain's coded refusal is a no. After any other answer, or none, the outcome is open.
 * 3. While it is open the same bytes may be sent again, and nothing else is signed in their place.
 * 4. `included`: a block holds these bytes, or the same body and auth info under another signature and so another hash.
 * 5. `never`: the last block that may hold it is past, and the account's sequence is still not used; or the sequence is
 *    used, and no block up to there holds this content. A node that cannot show those blocks leaves the outcome open.
 */
export type Outcome =
  | { readonly state: 'included'; readonly tx: Included }
  | { readonly state: 'never'; readonly by: 'timeout' | 'sequence' }
  | { readonly state: 'open' };

/** What is written down of signed bytes before they are sent. */
export interface SignedBytes {
  /** Upper-case hex. */
  readonly hash: string;
  /** TxRaw. */
  readonly bytes: Uint8Array;
  readonly sequence: bigint;
  /** The last block that may hold it; 0n: any may. */
  readonly timeoutHeight: bigint;
  /** Only blocks above this one may hold it: the newest one when it was signed. */
  readonly signedHeight: number;
}

export interface OutcomeWatch {
  /** Asks once. Errors: ClientError. */
  look(): Promise<{ readonly outcome: Outcome; readonly height: number }>;
}

/** Of one tx of an account. It remembers which blocks it has read, so one watch is asked again and again. */
export function watchOutcome(
  { codec, node }: { readonly codec: Codec; readonly node: Node },
  address: string,
  signed: SignedBytes,
): OutcomeWatch {
  const content = signedContent(signed.bytes);
  /** The height at which the account's sequence was first seen beyond the tx's. */
  let goneAt: number | undefined;
  let readTo = Math.max(0, signed.signedHeight);
  /** Hashes under which blocks hold the same content. */
  const twins = new Set<string>();

  async function readBlocks(to: number): Promise<void> {
    for (let height = readTo + 1; height <= to; height++) {
      for (const tx of await node.blockTxs(height)) {
        const other = contentOf(tx);
        if (other !== undefined && hasSameContent(content, other)) twins.add(txHash(tx));
      }
      readTo = height;
    }
  }

  /** The sequence is used: by a tx of this content, or by another one. */
  async function whoseSequence(usedAt: number): Promise<Outcome> {
    const last =
      signed.timeoutHeight > 0n && signed.timeoutHeight < usedAt ? Number(signed.timeoutHeight) : usedAt;
    await readBlocks(last);
    let isOpen = false;
    for (const hash of twins) {
      const found = await node.tx(hash);
      if (found !== undefined && !lostSequence(found)) return { state: 'included', tx: found };
      // the index of txs may be behind the blocks
      isOpen ||= found === undefined;
    }
    return isOpen ? { state: 'open' } : { state: 'never', by: 'sequence' };
  }

  async function outcomeAt(height: number): Promise<Outcome> {
    const state = await accountState(codec, node, address);
    // who has signed has an account: what answers is behind, or of another chain
    if (state === undefined) return { state: 'open' };
    const isGone = state.sequence > signed.sequence;
    if (isGone) goneAt ??= Math.max(state.height, (await node.status()).height);
    const found = await node.tx(signed.hash);
    if (found !== undefined && (found.code === 0 || (isGone && !lostSequence(found)))) {
      return { state: 'included', tx: found };
    }
    if (goneAt !== undefined) return await whoseSequence(goneAt);
    // a node tells of a block before it has executed it: one more
    const isBehind = BigInt(height) <= signed.timeoutHeight + 1n;
    // what answers a query may be another node, with older state; 0: it does not say
    const isOld = state.height > 0 && BigInt(state.height) < signed.timeoutHeight;
    if (signed.timeoutHeight === 0n || isBehind || isOld) return { state: 'open' };
    // an ante failure stands in a block too, but leaves the sequence
    return found === undefined || lostSequence(found)
      ? { state: 'never', by: 'timeout' }
      : { state: 'included', tx: found };
  }

  return {
    async look() {
      const { height } = await node.status();
      return { outcome: await outcomeAt(height), height };
    },
  };
}

function signedContent(bytes: Uint8Array): TxBody {
  const content = contentOf(bytes);
  if (content === undefined) throw new TypeError('what was signed is no TxRaw');
  return content;
}

/** Another tx of the account came first: sdk/32 comes from the ante alone. */
function lostSequence({ codespace, code }: Pick<Included, 'codespace' | 'code'>): boolean {
  return codespace === 'sdk' && code === 32;
}
