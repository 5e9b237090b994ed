import { useLocation } from 'preact-iso';
import type { List, ListPage } from '../data/lists.ts';
import { Button } from './button.tsx';
import css from './pager.module.css';

/** Links to a list's other pages, in its URL. Going back is the browser's. */
export function Pager<P extends ListPage>({
  list,
  isByTime = true,
}: {
  readonly list: List<P>;
  /** Newest first; by something else where not. */
  readonly isByTime?: boolean;
}) {
  const { url } = useLocation();
  const next = list.data?.next_cursor ?? null;
  if (list.isFirst && next === null) return null;
  return (
    <nav class={css.pager} aria-label="Pages">
      {!list.isFirst && (
        <a href={withQuery(url, { cursor: undefined })}>{isByTime ? 'Newest' : 'First page'}</a>
      )}
      {next !== null && <a href={withQuery(url, { cursor: next })}>{isByTime ? 'Older' : 'Next page'}</a>}
    </nav>
  );
}

/** "12 new", where a list has grown since it was opened; its room is kept so that nothing moves. */
export function NewRows<P extends ListPage>({
  list,
  limit,
}: {
  readonly list: List<P>;
  readonly limit: number;
}) {
  return (
    <span class={css.newRows} role="status">
      {list.newCount > 0 && (
        <Button onClick={list.showNew}>
          {list.newCount >= limit ? `${limit}+ new` : `${list.newCount} new`}
        </Button>
      )}
    </span>
  );
}

/** The same address with other parameters; undefined takes one away. */
export function withQuery(url: string, changes: Readonly<Record<string, string | undefined>>): string {
  const target = new URL(url, location.origin);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) target.searchParams.delete(name);
    else target.searchParams.set(name, value);
  }
  return target.pathname + target.search;
}
