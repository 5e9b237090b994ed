import { useLocation } from 'preact-iso';
import type { DriftRow } from '../../../../clients/ts/src/client.ts';
import { Empty } from '../../parts/answer.tsx';
import { ChainText } from '../../parts/chain-text.tsx';
import { Section } from '../../parts/page.tsx';
import { withQuery } from '../../parts/pager.tsx';
import { Table } from '../../parts/table.tsx';
import { countText } from '../../text/amounts.ts';
import { driftPlace, driftValue, moduleWords } from '../../text/drift.ts';

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
        What the chain says and the indexer does not derive. A difference of an event stays on record. One of
        a module's whole state goes when a later comparison does not find it.
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
              { head: 'Value', wide: true, cell: (row) => <ChainText text={driftPlace(row)} /> },
              { head: 'The chain says', cell: ({ chain }) => <ChainText text={driftValue(chain)} /> },
              { head: 'The index has', cell: ({ indexer }) => <ChainText text={driftValue(indexer)} /> },
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
