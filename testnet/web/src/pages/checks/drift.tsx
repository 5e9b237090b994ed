import { useLocation } from 'preact-iso';
import type { DriftRow } from '../../../../../clients/ts/src/client.ts';
import { Empty } from '../../parts/answer.tsx';
import { ChainText } from '../../parts/chain-text.tsx';
import { Section } from '../../parts/page.tsx';
import { withQuery } from '../../parts/pager.tsx';
import { Table } from '../../parts/table.tsx';
import { countText } from '../../text/amounts.ts';
import { driftPlace, driftValue, moduleWords } from '../../text/drift.ts';
import { visibleText } from '../../text/visible.ts';
import css from './checks.module.css';

const FEW = 10;
const NAME = 'differences';

/** Each difference that is on record, as the indexer answers them: of whole modules, then of events, the newest first. */
export function Differences({ rows }: { readonly rows: readonly DriftRow[] }) {
  const { query, url } = useLocation();
  const isAll = query.show === NAME;
  const shown = isAll ? rows : rows.slice(0, FEW);
  return (
    <Section title="Differences">
      <p class="soft">
        Where the chain says something else than the indexer derives. A difference of an event stays on
        record. One of a part's whole state goes when a later comparison does not find it.
      </p>
      {rows.length === 0 ? (
        <Empty>There is none.</Empty>
      ) : (
        <>
          <Table
            label="Differences: those of whole modules, then those of events, the newest first"
            rows={shown}
            keyOf={(row) => JSON.stringify(row)}
            columns={[
              { head: 'Part', cell: ({ module }) => moduleWords(module) },
              { head: 'Value', wide: true, cell: (row) => <Cut text={driftPlace(row)} /> },
              { head: 'The chain says', cell: ({ chain }) => <Cut text={driftValue(chain)} /> },
              { head: 'The index has', cell: ({ indexer }) => <Cut text={driftValue(indexer)} /> },
              {
                head: 'Block',
                right: true,
                cell: ({ height }) => <a href={`/block/${height}`}>block {countText(height)}</a>,
              },
            ]}
          />
          <p class="soft">
            {rows.length > shown.length && (
              <a href={withQuery(url, { show: NAME })}>Show all {countText(rows.length)}</a>
            )}
            {isAll && <a href={withQuery(url, { show: undefined })}>Show fewer</a>}
          </p>
        </>
      )}
    </Section>
  );
}

/** Text that may be long: whole on hover, and on a phone. */
function Cut({ text }: { readonly text: string }) {
  return (
    <span class={css.cut} title={visibleText(text)}>
      <ChainText text={text} />
    </span>
  );
}
