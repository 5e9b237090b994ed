import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { Empty } from '../../parts/answer.tsx';
import { Section } from '../../parts/page.tsx';
import { withQuery } from '../../parts/pager.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { countText } from '../../text/amounts.ts';
import { type CheckSummary, inOrder, summaryOf } from '../../text/check-rows.ts';

const FEW = 10;
/** More rows than that are no help to a reader, and slow. */
const MOST = 500;

export interface CheckRow {
  readonly agree: boolean;
  readonly height: number;
  readonly evaluated?: boolean;
}

/** One kind of check: what it means, how many agree, and its rows, disagreements first. */
export function ChecksOf<R extends CheckRow>({
  title,
  name,
  means,
  rows,
  keyOf,
  columns,
}: {
  readonly title: string;
  /** In `?show=`. */
  readonly name: string;
  readonly means: ComponentChildren;
  readonly rows: readonly R[];
  readonly keyOf: (row: R) => string;
  readonly columns: readonly Column<R>[];
}) {
  const { query, url } = useLocation();
  const isAll = query.show === name;
  const summary = summaryOf(rows);
  const shown = inOrder(rows).slice(0, isAll ? MOST : FEW);
  return (
    <Section title={title} aside={<Summary summary={summary} />}>
      <p class="soft">{means}</p>
      {rows.length === 0 ? (
        <Empty>
          Nothing of this kind has been checked yet. The indexer does it by itself, every few hundred blocks.
        </Empty>
      ) : (
        <>
          <Table
            label={`${title}: disagreements first, then the newest`}
            rows={shown}
            keyOf={keyOf}
            columns={columns}
          />
          <p class="soft">
            {rows.length > shown.length && !isAll && (
              <a href={withQuery(url, { show: name })}>Show all {countText(rows.length)}</a>
            )}
            {rows.length > shown.length && isAll && (
              <>
                These are the first {countText(MOST)} of {countText(rows.length)}. An asset's own page shows
                the checks of that asset.
              </>
            )}
            {isAll && (
              <>
                {' '}
                <a href={withQuery(url, { show: undefined })}>Show fewer</a>
              </>
            )}
          </p>
        </>
      )}
    </Section>
  );
}

function Summary({ summary: { count, disagreeing, unasked, heights } }: { readonly summary: CheckSummary }) {
  if (count === 0) return null;
  const made = count - unasked;
  return (
    <span class="soft">
      {disagreeing === 0
        ? `all ${countText(made)} agree`
        : `${countText(disagreeing)} of ${countText(made)} disagree`}
      {unasked > 0 && `, ${countText(unasked)} could not be asked for`}
      {heights !== undefined &&
        (heights[0] === heights[1]
          ? `, at block ${countText(heights[1])}`
          : `, at blocks ${countText(heights[0])} to ${countText(heights[1])}`)}
    </span>
  );
}
