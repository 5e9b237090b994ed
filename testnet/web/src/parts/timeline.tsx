import type { ComponentChildren } from 'preact';
import { countText } from '../text/amounts.ts';
import { Address } from './address.tsx';
import { Hash } from './hash.tsx';
import { Time } from './time.tsx';
import css from './timeline.module.css';

/** One thing that happened to a record. */
export interface Happening {
  readonly what: ComponentChildren;
  readonly height: number;
  readonly at: string;
  /** Null: the chain did it at the end of a block. */
  readonly txHash: string | null;
  readonly actor: string | null;
  /** What the actor was in it (`holder`). */
  readonly role?: string | null;
}

/** What happened to a record, oldest first. */
export function Timeline({ label, rows }: { readonly label: string; readonly rows: readonly Happening[] }) {
  return (
    <ol class={css.timeline} aria-label={label}>
      {rows.map(({ what, height, at, txHash, actor, role }) => (
        <li key={`${height}/${txHash}/${at}`}>
          <span class={css.what}>{what}</span>
          <span class={css.who}>
            {actor === null ? (
              'by the chain itself'
            ) : (
              <>
                by {role === undefined || role === null ? '' : `the ${role} `}
                <Address value={actor} />
              </>
            )}
          </span>
          <span class={css.where}>
            <Time at={at} />
            <a href={`/block/${height}`}>block {countText(height)}</a>
            {txHash !== null && <Hash value={txHash} href={`/tx/${txHash}`} what="transaction hash" />}
          </span>
        </li>
      ))}
    </ol>
  );
}
