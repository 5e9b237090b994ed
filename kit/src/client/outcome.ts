import type { Codec } from '../codec/codec.ts';
import { accountState } from './accounts.ts';
import type { Answer } from './broadcast.ts';
import { contentOf, hasSameContent, type TxBody } from './content.ts';
import type { Included, Node, Refusal } from './node.ts';
import { txHash } from './tx.ts';

/**
 * The rules for everyone who sends a tx, so that nothing is paid twice. The pages follow them in testnet/web/src/wallet/send.ts.
 *
 * 1. The hash is made of the signed bytes. Both are stored before the first broadcast.
 * 2. Only blocks decide. The answer to a broadcast may be a lie of a relay, which has the bytes and may send them on.
 * 3. After a refusal (`refusalIn`) the bytes stay stored and are not sent again. Another tx may be signed with the same
 *    sequence, and with no other: a block takes one of them.
 * 4. After any other answer, or none, the same bytes may be sent again, and nothing else is signed.
 * 5. `included`: a block holds one of the txs with that sequence, perhaps under another signature and so another hash.
 * 6. `never`: the last block that may hold them is past, and the account's sequence is still not used; or the sequence is
 *    used, and no block up to there holds their content. A node that cannot show those blocks leaves the outcome open.
 */
export type Outcome =
  /** `signed`: which of the txs with that sequence it is. */
  | { readonly state: 'included'; readonly tx: Included; readonly signed: SignedBytes }
  | { readonly state: 'never'; readonly by: 'timeout' | 'sequence' }
  | { readonly state: 'open' };

/** What is stored of signed bytes before they are sent. */
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

/**
 * The refusal in a node's first answer to new bytes. A sequence that is used, or a time that is past, is none: these very
 * bytes may be in a block since, so they are followed.
 */
export function refusalIn(answer: Answer, sequence: bigint): Refusal | undefined {
  if (answer.kind === 'full') return { codespace: 'sdk', code: 20, log: answer.log };
  if (answer.kind === 'refused') {
    const { codespace, code, log } = answer;
    return codespace === 'sdk' && code === 30 ? undefined : { codespace, code, log };
  }
  if (answer.kind !== 'sequence' || answer.expected === undefined || answer.expected > sequence)
    return undefined;
  return { codespace: 'sdk', code: 32, log: answer.log };
}

/** Whether no later block may hold it: block `height` exists, and the account's sequence is not used as of it. */
export function isExpired({ timeoutHeight }: Pick<SignedBytes, 'timeoutHeight'>, height: number): boolean {
  // a node reports a block before it has executed it: one more
  return timeoutHeight > 0n && BigInt(height) > timeoutHeight + 1n;
}

/**
 * Of one tx of an account, and of the `earlier` ones that were signed with the same sequence. It remembers which blocks it
 * has read, so one watch is asked again and again.
 */
export function watchOutcome(
  { codec, node }: { readonly codec: Codec; readonly node: Node },
  address: string,
  signed: SignedBytes,
  earlier: readonly SignedBytes[] = [],
): OutcomeWatch {
  const { sequence } = signed;
  const tries = [signed, ...earlier];
  const contents = tries.map((one) => ({ signed: one, content: signedContent(one.bytes) }));
  const timeoutHeight = lastBlock(tries);
  /** The height at which the account's sequence was first seen beyond theirs. */
  let goneAt: number | undefined;
  let readTo = Math.max(0, Math.min(...tries.map(({ signedHeight }) => signedHeight)));
  /** By the hash under which a block holds the same content. */
  const twins = new Map<string, SignedBytes>();

  async function readBlocks(to: number): Promise<void> {
    for (let height = readTo + 1; height <= to; height++) {
      for (const tx of await node.blockTxs(height)) {
        const other = contentOf(tx);
        const same = other && contents.find(({ content }) => hasSameContent(content, other));
        if (same !== undefined) twins.set(txHash(tx), same.signed);
      }
      readTo = height;
    }
  }

  /** The sequence is used: by a tx of this content, or by another one. */
  async function whoseSequence(usedAt: number): Promise<Outcome> {
    await readBlocks(timeoutHeight > 0n && timeoutHeight < usedAt ? Number(timeoutHeight) : usedAt);
    let isOpen = false;
    for (const [hash, of] of twins) {
      const found = await node.tx(hash);
      if (found !== undefined && !lostSequence(found)) return { state: 'included', tx: found, signed: of };
      // the index of txs may be behind the blocks
      isOpen ||= found === undefined;
    }
    return isOpen ? { state: 'open' } : { state: 'never', by: 'sequence' };
  }

  async function outcomeAt(height: number): Promise<Outcome> {
    const state = await accountState(codec, node, address);
    // an account that has signed exists: what answers is behind, or of another chain
    if (state === undefined) return { state: 'open' };
    const isGone = state.sequence > sequence;
    if (isGone) goneAt ??= Math.max(state.height, (await node.status()).height);
    let failed: Outcome | undefined;
    for (const one of tries) {
      const tx = await node.tx(one.hash);
      if (tx === undefined || lostSequence(tx)) continue;
      if (tx.code === 0 || isGone) return { state: 'included', tx, signed: one };
      failed ??= { state: 'included', tx, signed: one };
    }
    if (goneAt !== undefined) return await whoseSequence(goneAt);
    // what answers a query may be another node, with older state; 0: it does not say
    const isOld = state.height > 0 && BigInt(state.height) < timeoutHeight;
    if (!isExpired({ timeoutHeight }, height) || isOld) return { state: 'open' };
    // a block may also hold a tx that fails in the ante, which leaves the sequence
    return failed ?? { state: 'never', by: 'timeout' };
  }

  return {
    async look() {
      const { height } = await node.status();
      return { outcome: await outcomeAt(height), height };
    },
  };
}

/** The last block that may hold one of them; 0n: any may. */
function lastBlock(tries: readonly SignedBytes[]): bigint {
  let last = 0n;
  for (const { timeoutHeight } of tries) {
    if (timeoutHeight === 0n) return 0n;
    if (timeoutHeight > last) last = timeoutHeight;
  }
  return last;
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
