import { useLocation } from 'preact-iso';
import { told, v1 } from '../data/client.ts';
import { useList } from '../data/lists.ts';
import { Answer, Empty } from '../parts/answer.tsx';
import { MethodFilter } from '../parts/method-filter.tsx';
import { Page } from '../parts/page.tsx';
import { NewRows, withQuery } from '../parts/pager.tsx';
import { TxPager } from '../parts/tx-pager.tsx';
import { TxTable } from '../parts/tx-table.tsx';
import { countText } from '../text/amounts.ts';

const LIMIT = 50;

export function Txs() {
  const { query, url } = useLocation();
  const method = query.method;
  const list = useList(
    ['txs', method],
    (cursor) =>
      told(
        v1.GET('/v1/txs', {
          params: {
            query: {
              limit: LIMIT,
              ...(cursor === undefined ? {} : { cursor }),
              ...(method === undefined ? {} : { method }),
            },
          },
        }),
      ),
    ({ txs }) => txs.map(({ height, tx_index }) => `${height}/${tx_index}`),
  );
  return (
    <Page
      title="Transactions"
      lead={
        list.data === undefined
          ? '…'
          : `${countText(list.data.total)} in all${method === undefined ? '' : ' of this method'}`
      }
      aside={
        <>
          <MethodFilter methods={list.data?.methods ?? []} />
          <NewRows list={list} limit={LIMIT} />
        </>
      }
    >
      <Answer asked={list} rows={20}>
        {({ txs }) =>
          txs.length === 0 ? (
            <Empty>
              {method === undefined ? (
                'No transaction has been indexed yet. The first one shows here as soon as it is.'
              ) : (
                <>
                  No transaction has this method.{' '}
                  <a href={withQuery(url, { method: undefined, cursor: undefined })}>Show all of them</a>
                </>
              )}
            </Empty>
          ) : (
            <>
              <TxTable label="Transactions, newest first" txs={txs} />
              <TxPager list={list} />
            </>
          )
        }
      </Answer>
    </Page>
  );
}
