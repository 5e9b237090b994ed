import { told, v1 } from '../data/client.ts';
import { useList } from '../data/lists.ts';
import { Answer, Empty } from '../parts/answer.tsx';
import { Hash } from '../parts/hash.tsx';
import { Page } from '../parts/page.tsx';
import { NewRows, Pager } from '../parts/pager.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { countText } from '../text/amounts.ts';

const LIMIT = 50;

export function Blocks() {
  const list = useList(
    ['blocks'],
    (cursor) =>
      told(
        v1.GET('/v1/blocks', {
          params: { query: { limit: LIMIT, ...(cursor === undefined ? {} : { cursor }) } },
        }),
      ),
    ({ blocks }) => blocks.map(({ height }) => height),
  );
  return (
    <Page title="Blocks" aside={<NewRows list={list} limit={LIMIT} />}>
      <Answer asked={list} rows={20}>
        {({ blocks }) =>
          blocks.length === 0 ? (
            <Empty>No block has been indexed yet. The first one shows here as soon as it is.</Empty>
          ) : (
            <>
              <Table
                label="Blocks, newest first"
                rows={blocks}
                keyOf={({ height }) => height}
                hrefOf={({ height }) => `/block/${height}`}
                columns={[
                  {
                    head: 'Height',
                    cell: ({ height }) => <a href={`/block/${height}`}>{countText(height)}</a>,
                  },
                  { head: 'Time', cell: ({ time }) => <Time at={time} /> },
                  { head: 'Transactions', right: true, cell: ({ tx_count }) => countText(tx_count) },
                  { head: 'Events', right: true, cell: ({ event_count }) => countText(event_count) },
                  { head: 'Hash', phone: 'no', cell: ({ hash }) => <Hash value={hash} what="block hash" /> },
                  {
                    head: 'Proposer',
                    phone: 'no',
                    cell: ({ proposer }) => <Hash value={proposer} what="proposer" />,
                  },
                ]}
              />
              <Pager list={list} />
            </>
          )
        }
      </Answer>
    </Page>
  );
}
