import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import css from './table.module.css';

/** One column. At most seven make a table; the rest belongs on the row's own page. */
export interface Column<R> {
  readonly head: string;
  readonly cell: (row: R) => ComponentChildren;
  /** Figures stand on the right. */
  readonly right?: boolean;
  /** Takes the room that the others leave, and is cut where it needs more; the row's page has it whole. */
  readonly wide?: boolean;
  /** Of the table's width, in percent: where names come later than rows, so that no column moves by them. */
  readonly percent?: number;
  /** On a phone: the first line (title), the second (the rest), or not at all. The first column is the title unless told. */
  readonly phone?: 'title' | 'no';
}

/**
 * Rows of 40 px under a head that stays; on a phone two lines each. `j` and `k` move from row to row and enter opens
 * one (shell/keys.tsx); a click opens it too, where it does not hit a link of its own.
 */
export function Table<R>({
  label,
  columns,
  rows,
  keyOf,
  hrefOf,
}: {
  readonly label: string;
  readonly columns: readonly Column<R>[];
  readonly rows: readonly R[];
  readonly keyOf: (row: R) => string | number;
  readonly hrefOf?: (row: R) => string | undefined;
}) {
  const { route } = useLocation();
  const open = (event: MouseEvent, href: string | undefined): void => {
    const inner = event.target instanceof Element ? event.target.closest('a, button, input') : null;
    if (
      href === undefined ||
      inner !== null ||
      event.ctrlKey ||
      event.metaKey ||
      String(getSelection()) !== ''
    )
      return;
    route(href);
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section class={css.scroll} aria-label={label} tabIndex={0}>
      <table class={css.table}>
        <caption class="visually-hidden">{label}</caption>
        <thead>
          <tr>
            {columns.map(({ head, right, wide, percent }) => (
              <th
                key={head}
                scope="col"
                class={`${right === true ? css.right : ''} ${wide === true ? css.wide : ''}`}
                {...(percent === undefined ? {} : { style: { width: `${percent}%` } })}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const href = hrefOf?.(row);
            return (
              <tr
                key={keyOf(row)}
                {...(href === undefined ? {} : { 'data-href': href, class: css.opens })}
                onClick={(event) => open(event, href)}
              >
                {columns.map(({ head, cell, right, wide, phone }, at) => (
                  <td
                    key={head}
                    data-head={head}
                    class={`${right === true ? css.right : ''} ${wide === true ? css.wide : ''} ${phone === 'no' ? css.notOnPhone : ''} ${(phone ?? (at === 0 ? 'title' : '')) === 'title' ? css.title : ''}`}
                  >
                    {cell(row)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
