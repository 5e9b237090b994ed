import { systemClock } from '../../core/clock.ts';
import { StrataError } from '../../core/errors.ts';
import { type Answer, broadcastOnce, reasonOf } from '../../devnet/client/broadcast.ts';
import { type Followed, followSigned } from '../../devnet/client/follow.ts';
import type { Node, Refusal } from '../../devnet/client/node.ts';
import type { PendingTx, PendingTxs } from '../../devnet/client/pending.ts';
import type { PreparedTx } from '../../devnet/client/prepare.ts';
import { txHash } from '../../devnet/client/tx.ts';
import type { Codec } from '../../devnet/codec/codec.ts';
import type { ChainCommandContext } from '../chain-command.ts';
import { printHash, printIncluded, printPending } from './tx-answer.ts';

/** How `strata tx` sends what it has signed, by the rules of src/devnet/client/outcome.ts. */

export interface TxSending {
  readonly codec: Codec;
  readonly node: Node;
  readonly pending: PendingTxs;
  /** Bech32, of who signs. */
  readonly address: string;
}

export interface TxWait {
  readonly waitMs: number;
  readonly isJson: boolean;
}

const POLL_MS = 250;

/**
 * A tx with the sequence of an undecided one (`--sequence`) may be sent: a block takes one of the two. Errors: tx_undecided
 * when the account has another undecided tx, since both could pay the same.
 */
export function requireDecided(pending: PendingTxs, address: string, given: bigint | undefined): void {
  const before = pending.of(address);
  if (before === undefined || before.sequence === given) return;
  const { hash, sequence } = before;
  throw undecided(before, pending, `the tx ${hash} of ${address}, sequence ${sequence}, was sent before`);
}

/** Errors: tx_undecided, tx_not_included; node_… before anything is sent. */
export async function sendTx(
  sending: TxSending,
  { bytes, signer, content, chainId }: PreparedTx,
  wait: TxWait,
  context: ChainCommandContext,
): Promise<void> {
  const { node, pending, address } = sending;
  const { height: signedHeight } = await node.status();
  const hash = txHash(bytes);
  const { timeoutHeight = 0n } = content;
  const { sequence } = signer;
  const tx: PendingTx = { chainId, address, hash, bytes, sequence, timeoutHeight, signedHeight };
  const before = pending.of(address);
  if (before?.sequence === sequence) pending.remove(before);
  pending.add(tx);
  printHash(hash, wait.isJson, context.print, context.note);
  const answer = await firstAnswer(sending, tx);
  const refusal = refusalOf(answer, sequence);
  if (refusal !== undefined || (answer.kind === 'taken' && wait.waitMs === 0)) {
    pending.remove(tx);
    printPending(hash, refusal ?? { code: 0, codespace: '', log: '' }, wait.isJson, context.print);
    if (refusal !== undefined) context.fail();
    return;
  }
  await decide(sending, tx, answer, wait, context);
}

/** Follows what was sent until it is certain or the time is over, and tells it. Errors: tx_undecided, tx_not_included. */
export async function decide(
  sending: Omit<TxSending, 'address'>,
  tx: PendingTx,
  answer: Answer,
  { waitMs, isJson }: TxWait,
  { print, fail, signal }: ChainCommandContext,
): Promise<void> {
  const { codec, node, pending } = sending;
  const options = { codec, node, address: tx.address, clock: systemClock, pollMs: POLL_MS, signal };
  let followed: Followed;
  try {
    followed = await followSigned(tx, answer, { ...options, patienceMs: waitMs });
  } catch (error) {
    throw undecided(tx, pending, `what became of ${tx.hash} could not be asked`, error);
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
  pending.remove(tx);
  if (outcome.state === 'never') {
    const why =
      outcome.by === 'timeout'
        ? `block ${tx.timeoutHeight} is past`
        : `another tx has sequence ${tx.sequence}`;
    throw new StrataError('tx_not_included', `no block holds ${tx.hash}, and none will: ${why}`);
  }
  printIncluded(outcome.tx, isJson, print);
  if (outcome.tx.code !== 0) fail();
}

/** Errors: tx_undecided for a command that is stopped meanwhile. */
async function firstAnswer({ node, pending }: TxSending, tx: PendingTx): Promise<Answer> {
  try {
    return await broadcastOnce(node, tx.bytes);
  } catch (error) {
    throw undecided(tx, pending, `${tx.hash} was sent, and no answer was waited for`, error);
  }
}

/** A no of the chain to bytes that it has never had. A sequence that is past may be used by these very bytes. */
function refusalOf(answer: Answer, sequence: bigint): Refusal | undefined {
  if (answer.kind === 'refused') return answer;
  if (answer.kind === 'full') return { codespace: 'sdk', code: 20, log: answer.log };
  if (answer.kind !== 'sequence' || answer.expected === undefined || answer.expected > sequence)
    return undefined;
  return { codespace: 'sdk', code: 32, log: answer.log };
}

function undecided(tx: PendingTx, pending: PendingTxs, what: string, cause?: unknown): StrataError {
  const last = tx.timeoutHeight === 0n ? 'any later block' : `a block up to ${tx.timeoutHeight}`;
  const message = `${what}; ${last} may hold it. Ask again: strata tx follow ${tx.hash} (${pending.pathOf(tx)}).`;
  return new StrataError('tx_undecided', message, { retryable: true, cause });
}
