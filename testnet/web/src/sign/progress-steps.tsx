import { Badge } from '../parts/badge.tsx';
import { Hash } from '../parts/hash.tsx';
import { countText } from '../text/amounts.ts';
import type { Progress } from '../wallet/follow.ts';
import type { PendingTx } from '../wallet/pending.ts';
import { refusalText } from '../wallet/refusals.ts';
import css from './sign.module.css';

const STEPS = ['The chain has taken it', 'A block has it', 'The indexer has it'] as const;
const DONE: Readonly<Record<Exclude<Progress['at'], 'waiting'>, number>> = {
  included: 2,
  indexed: 3,
  failed: 3,
  expired: 0,
  replaced: 0,
  unseen: 0,
};

/** How far a tx has come. */
export function ProgressSteps({
  pending,
  progress,
}: {
  readonly pending: PendingTx;
  readonly progress: Progress;
}) {
  const done = progress.at === 'waiting' ? Number(progress.isTaken) : DONE[progress.at];
  // an Ethereum hash is a tx's name only once the tx is indexed
  const known = progress.at === 'indexed' || progress.at === 'failed' ? progress.tx.hash : pending.hash;
  return (
    <div class={css.progress}>
      <ol class={css.steps}>
        {STEPS.map((step, at) => (
          <li key={step} class={at < done ? css.done : at === done ? css.doing : undefined}>
            <span aria-hidden="true">{at < done ? '●' : '○'}</span> {step}
            <span class="visually-hidden">{at < done ? ': yes' : ': not yet'}</span>
          </li>
        ))}
      </ol>
      {known !== null && (
        <p>
          <Hash
            value={known}
            {...(known.startsWith('0x') ? {} : { href: `/tx/${known}?wait=1` })}
            what="transaction hash"
          />
        </p>
      )}
      {progress.at === 'indexed' && (
        <p>
          <Badge tone="good">Done</Badge> in block{' '}
          <a href={`/block/${progress.tx.height}`}>{countText(progress.tx.height)}</a>.
        </p>
      )}
      {progress.at === 'failed' && (
        <div class={css.stopped} role="alert">
          <strong>It failed, and nothing has moved but the fee.</strong>
          <p>{refusalText(progress.reason)}</p>
        </div>
      )}
      {progress.at === 'expired' && (
        <div class={css.stopped} role="alert">
          <strong>No block has it, and none will.</strong>
          <p>Its time is over. Nothing has moved.</p>
        </div>
      )}
      {progress.at === 'replaced' && <Replaced pending={pending} by={progress.by} />}
      {(progress.at === 'unseen' || (progress.at === 'waiting' && !progress.isTaken)) && (
        <div class={css.stopped} role="status">
          <strong>It is not decided yet whether this is on the chain.</strong>
          <p>
            {undecidedText(pending, progress)} Nothing else is signed for this account until it is decided,
            also after a reload.
          </p>
        </div>
      )}
    </div>
  );
}

function undecidedText({ bytes, isRefused }: PendingTx, progress: Progress): string {
  const why = progress.at === 'unseen' ? progress.why : 'slow';
  if (why === 'other_chain')
    return 'The chain is at a lower block than when this was signed. It was started anew under the same name, or its node is far behind. Forget the transaction only if you know that the chain was started anew.';
  if (why === 'no_trace')
    return 'The account has used its number, but the indexer has no transaction with it. The chain may have been started anew, or the indexer lacks blocks. Compare your balance and your transactions before you forget this one and do the same again.';
  if (isRefused === true)
    return 'A node refused it, but the account has used its number since, so it may be in a block all the same. This page looks for it in new blocks.';
  if (bytes === null) return 'Your wallet was asked to send it, and may have sent it. Look at its activity.';
  return 'The answer was lost, or it takes long. This page looks for the hash in new blocks, and sends the same signed transaction again: twice is the same as once.';
}

function Replaced({ pending, by }: { readonly pending: PendingTx; readonly by: string }) {
  const isOurs = pending.bytes !== null;
  return (
    <div class={css.stopped} role="alert">
      <strong>{isOurs ? 'No block has it, and none will.' : 'Your wallet has sent a transaction.'}</strong>
      <p>
        {isOurs
          ? 'Another transaction of this account has its place. Nothing of this one was done.'
          : 'It may be this one, or another one that you sent. Look at it before you do the same again.'}
      </p>
      <p>
        <Hash value={by} href={`/tx/${by}`} what="transaction hash" />
      </p>
    </div>
  );
}
