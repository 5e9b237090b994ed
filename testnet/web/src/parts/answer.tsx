import type { ComponentChildren } from 'preact';
import type { AskError } from '../data/errors.ts';
import type { Asked } from '../data/queries.ts';
import { sentence } from '../text/message.ts';
import css from './answer.module.css';
import { Button } from './button.tsx';

/** Shows what was asked for, or that it is waited for, or what went wrong and what to do. `rows` keeps the room that it will take. */
export function Answer<T>({
  asked,
  rows = 4,
  missing,
  children,
}: {
  readonly asked: Asked<T>;
  readonly rows?: number;
  /** What a 404 means here. */
  readonly missing?: string;
  readonly children: (data: T) => ComponentChildren;
}) {
  if (asked.data !== undefined) return <>{children(asked.data)}</>;
  if (asked.error !== undefined)
    return <Failed error={asked.error} retry={asked.retry} {...(missing === undefined ? {} : { missing })} />;
  return <Waiting rows={rows} />;
}

export function Waiting({ rows }: { readonly rows: number }) {
  return (
    <div class={css.waiting} aria-busy="true" style={{ minHeight: `calc(${rows} * var(--row))` }}>
      <span class="visually-hidden">Loading</span>
      {Array.from({ length: rows }, (_, i) => (
        <span key={i} aria-hidden="true" />
      ))}
    </div>
  );
}

export function Failed({
  error,
  retry,
  missing,
}: {
  readonly error: AskError;
  retry?(): void;
  readonly missing?: string;
}) {
  const [what, todo] = words(error, missing);
  return (
    <div class={css.failed} role="alert">
      <strong>{what}</strong>
      <p>{todo}</p>
      {retry !== undefined && error.status !== 404 && error.status !== 400 && (
        <Button onClick={retry}>Try again</Button>
      )}
    </div>
  );
}

function words({ status, code, message }: AskError, missing: string | undefined): readonly [string, string] {
  if (status === 404)
    return [
      missing ?? 'There is nothing here.',
      'Check the address of the page, or search for what you look for.',
    ];
  if (status === 400) return ['This address cannot be read.', `${sentence(message)} Check what was typed.`];
  if (status === 429) return ['That was too often.', sentence(message)];
  if (status === 0)
    return ['No answer came.', 'The app does not answer. Look at your connection, or whether it still runs.'];
  if (status === 503)
    return [
      'The indexer does not answer.',
      'What is shown elsewhere may be old. It is asked again by itself.',
    ];
  return ['Something went wrong.', `${sentence(message)} (${code})`];
}

/** A list with nothing in it: what would stand here, and how it gets there. */
export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <p class={css.empty}>{children}</p>;
}
