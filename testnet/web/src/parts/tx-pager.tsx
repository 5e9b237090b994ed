import { useLocation } from 'preact-iso';
import type { TxPage } from '../../../../clients/ts/src/client.ts';
import type { List } from '../data/lists.ts';
import css from './pager.module.css';
import { withQuery } from './pager.tsx';

/** Links to both ends of a list of transactions and to the pages beside this one. */
export function TxPager({ list }: { readonly list: List<TxPage> }) {
  const { url } = useLocation();
  if (list.data === undefined) return null;
  const { next_cursor: older, prev_cursor: newer, last_cursor: oldest } = list.data;
  if (list.isFirst && older === null) return null;
  const to = (text: string, cursor: string | null | undefined) =>
    cursor === null ? <span class="soft">{text}</span> : <a href={withQuery(url, { cursor })}>{text}</a>;
  return (
    <nav class={css.pager} aria-label="Pages">
      {to('Newest', list.isFirst ? null : undefined)}
      {to('Newer', newer)}
      {to('Older', older)}
      {to('Oldest', older === null ? null : oldest)}
    </nav>
  );
}
