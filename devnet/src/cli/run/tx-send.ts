import type { WordsContext } from 'strata-kit/cli/words';
import { type Answer, broadcastOnce, reasonOf } from 'strata-kit/client/broadcast';
import { type Followed, followSigned } from 'strata-kit/client/follow';
import type { Node } from 'strata-kit/client/node';
import { type Outcome, refusalIn } from 'strata-kit/client/outcome';
import type { PendingTx, PendingTxs } from 'strata-kit/client/pending';
import type { PreparedTx } from 'strata-kit/client/prepare';
import { txHash } from 'strata-kit/client/tx';
import { systemClock } from 'strata-kit/clock';
import type { Codec } from 'strata-kit/codec/codec';
import { StrataError } from 'strata-kit/errors';
import { printHash, printIncluded, printPending } from './tx-answer.ts';
import { sameSequence, settleAside, undecided } from './tx-pending.ts';

/** How `strata tx` sends what it has signed, by the rules of kit/src/client/outcome.ts. */

export interface TxSending {
  readonly codec: Codec;
  readonly node: Node;
  readonly pending: PendingTxs;
  /** Bech32, of the signer. */
  readonly address: string;
}

export interface TxWait {
  readonly waitMs: number;
  readonly isJson: boolean;
}

const POLL_MS = 250;

/** Errors: tx_undecided, tx_not_included; node_… before anything is sent. */
export async function sendTx(
  sending: TxSending,
  { bytes, signer, content, chainId }: PreparedTx,
  wait: TxWait,
  context: WordsContext,
): Promise<void> {
  const { node, pending, address } = sending;
  const { height: signedHeight } = await node.status();
  const hash = txHash(bytes);
  const { timeoutHeight = 0n } = content;
  const { sequence } = signer;
  const tx: PendingTx = { chainId, address, hash, bytes, sequence, timeoutHeight, signedHeight };
  await settleAside(sending, tx);
  const before = pending.of(address);
  if (before?.sequence === sequence) pending.setAside(before, undefined);
  pending.add(tx);
  printHash(hash, wait.isJson, context.print, context.note);
  const answer = await firstAnswer(sending, tx);
  const refusal = refusalIn(answer, sequence);
  if (refusal !== undefined) {
    pending.setAside(tx, refusal);
    printPending(hash, refusal, wait.isJson, context.print);
    context.fail();
  } else if (answer.kind === 'taken' && wait.waitMs === 0) {
    pending.remove(tx);
    printPending(hash, { code: 0, codespace: '', log: '' }, wait.isJson, context.print);
  } else await decide(sending, tx, answer, wait, context);
}

/** Follows what was sent until it is certain or the time is over, and prints it. Errors: tx_undecided, tx_not_included. */
export async function decide(
  sending: Omit<TxSending, 'address'>,
  tx: PendingTx,
  answer: Answer,
  { waitMs, isJson }: TxWait,
  { print, fail, signal }: WordsContext,
): Promise<void> {
  const { codec, node, pending } = sending;
  const earlier = sameSequence(pending, tx).filter(({ hash }) => hash !== tx.hash);
  const options = { codec, node, address: tx.address, earlier, clock: systemClock, pollMs: POLL_MS, signal };
  let followed: Followed;
  try {
    followed = await followSigned(tx, answer, { ...options, patienceMs: waitMs });
  } catch (error) {
    throw undecided(tx, pending, `the inclusion status of ${tx.hash} could not be asked`, error);
  }
  const { outcome, failure } = followed;
  const reason = reasonOf(followed.answer);
  if (outcome.state === 'open') {
    throw undecided(
      tx,
      pending,
      `no block is known to hold ${tx.hash}${reason === '' ? '' : ` (${reason})`}`,
      failure,
    );
  }
  const included = outcome.state === 'included' ? outcome.signed.hash : undefined;
  // one that is in a block in its place stays until somebody has asked for it
  for (const one of [tx, ...earlier]) if (one === tx || one.hash !== included) pending.remove(one);
  if (outcome.state === 'included' && included === tx.hash) {
    printIncluded(outcome.tx, isJson, print);
    if (outcome.tx.code !== 0) fail();
    return;
  }
  throw new StrataError(
    'tx_not_included',
    `no block holds ${tx.hash}, and none will: ${whyNever(tx, outcome)}`,
  );
}

function whyNever(tx: PendingTx, outcome: Exclude<Outcome, { state: 'open' }>): string {
  if (outcome.state === 'never')
    return outcome.by === 'timeout'
      ? `block ${tx.timeoutHeight} is past`
      : `another tx has sequence ${tx.sequence}`;
  const { hash } = outcome.signed;
  return `block ${outcome.tx.height} holds ${hash}, which was sent with the same sequence. See it: strata tx follow ${hash}`;
}

/** Errors: tx_undecided for a command that is stopped meanwhile. */
async function firstAnswer({ node, pending }: TxSending, tx: PendingTx): Promise<Answer> {
  try {
    return await broadcastOnce(node, tx.bytes);
  } catch (error) {
    throw undecided(tx, pending, `${tx.hash} was sent, and no answer was waited for`, error);
  }
}
