import { Badge } from '../parts/badge.tsx';
import { Hash } from '../parts/hash.tsx';
import { countText } from '../text/amounts.ts';
import type { Progress } from '../wallet/follow.ts';
import { refusalText } from '../wallet/refusals.ts';
import css from './sign.module.css';

const STEPS = ['The chain has taken it', 'A block has it', 'The indexer has it'] as const;
const DONE: Readonly<Record<Progress['at'], number>> = {
  waiting: 1,
  included: 2,
  indexed: 3,
  failed: 3,
  expired: 1,
  unseen: 1,
};

/** What became of a tx so far. */
export function ProgressSteps({ hash, progress }: { readonly hash: string; readonly progress: Progress }) {
  const done = DONE[progress.at];
  // an Ethereum hash is a tx's name only once the tx is indexed
  const known = progress.at === 'indexed' || progress.at === 'failed' ? progress.tx.hash : hash;
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
      <p>
        <Hash
          value={known}
          {...(known.startsWith('0x') ? {} : { href: `/tx/${known}?wait=1` })}
          what="transaction hash"
        />
      </p>
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
          <strong>No block has taken it.</strong>
          <p>Its time is over, so that none ever will. Nothing has moved; start again.</p>
        </div>
      )}
      {progress.at === 'unseen' && (
        <div class={css.stopped} role="alert">
          <strong>Nobody has seen it in a block yet.</strong>
          <p>It may still come. Look at its page before you do the same again.</p>
        </div>
      )}
    </div>
  );
}
