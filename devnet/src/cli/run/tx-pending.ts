import { ClientError } from 'strata-kit/client/errors';
import { isExpired, type Outcome, watchOutcome } from 'strata-kit/client/outcome';
import type { PendingTx, PendingTxs } from 'strata-kit/client/pending';
import { StrataError } from 'strata-kit/errors';
import type { TxSending } from './tx-send.ts';

/** Which txs that were sent before keep `strata tx` from sending another one. */

/** Txs of one sequence that are kept beside a new one: each look asks for all of them. */
const MOST_ASIDE = 16;

/**
 * A tx with the sequence of an undecided one (`--sequence`) may be sent: a block takes one of the two. Errors: tx_undecided
 * when the account has another undecided tx, since both could pay the same.
 */
export function requireDecided(pending: PendingTxs, address: string, given: bigint | undefined): void {
  const before = pending.of(address);
  if (before === undefined || before.sequence === given) return;
  throw undecided(before, pending, sentBefore(before));
}

/**
 * Before `tx` is sent: what was refused before stays beside it where it has the same sequence, and must be decided where it
 * has another one. Errors: tx_undecided where one of those is in a block, may come into one, or where there are too many.
 */
export async function settleAside(sending: TxSending, tx: PendingTx): Promise<void> {
  const { pending, address } = sending;
  for (;;) {
    const other = pending
      .asideOf(address)
      .find(({ sequence, chainId }) => sequence !== tx.sequence && chainId === tx.chainId);
    if (other === undefined) break;
    await requireNever(sending, other);
    for (const one of sameSequence(pending, other)) pending.remove(one);
  }
  for (const one of sameSequence(pending, tx)) if (isExpired(one, tx.signedHeight)) pending.remove(one);
  const aside = sameSequence(pending, tx);
  const [first] = aside;
  if (first !== undefined && aside.length >= MOST_ASIDE)
    throw undecided(first, pending, `${aside.length} txs of ${address} were sent with this sequence before`);
}

/** One look at the chain. Errors: tx_undecided. */
async function requireNever(sending: TxSending, tx: PendingTx): Promise<void> {
  const { pending } = sending;
  const others = sameSequence(pending, tx).filter(({ hash }) => hash !== tx.hash);
  let outcome: Outcome;
  try {
    ({ outcome } = await watchOutcome(sending, tx.address, tx, others).look());
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    throw undecided(tx, pending, sentBefore(tx), error);
  }
  if (outcome.state === 'never') return;
  if (outcome.state === 'open') throw undecided(tx, pending, sentBefore(tx));
  const { hash } = outcome.signed;
  const message = `nothing was sent: the tx ${hash} of ${tx.address} was refused before, and block ${outcome.tx.height} holds it. See it: strata tx follow ${hash} (${pending.pathOf({ ...tx, hash })}).`;
  throw new StrataError('tx_undecided', message);
}

/** Every pending tx of the account with the chain and sequence of this one. */
export function sameSequence(
  pending: PendingTxs,
  { address, sequence, chainId }: PendingTx,
): readonly PendingTx[] {
  const all = [...pending.asideOf(address), pending.of(address)];
  return all.filter((one): one is PendingTx => one?.sequence === sequence && one.chainId === chainId);
}

export function undecided(tx: PendingTx, pending: PendingTxs, what: string, cause?: unknown): StrataError {
  const last = tx.timeoutHeight === 0n ? 'any later block' : `a block up to ${tx.timeoutHeight}`;
  const message = `${what}; ${last} may hold it. Ask again: strata tx follow ${tx.hash} (${pending.pathOf(tx)}).`;
  return new StrataError('tx_undecided', message, { retryable: true, cause });
}

function sentBefore({ hash, address, sequence }: PendingTx): string {
  return `the tx ${hash} of ${address}, sequence ${sequence}, was sent before`;
}
