import { useLocation } from 'preact-iso';
import { told, v1 } from '../../data/client.ts';
import { useList } from '../../data/lists.ts';
import { Answer, Empty } from '../../parts/answer.tsx';
import { MethodFilter } from '../../parts/method-filter.tsx';
import { NewRows } from '../../parts/pager.tsx';
import { TxPager } from '../../parts/tx-pager.tsx';
import { TxTable } from '../../parts/tx-table.tsx';
import css from './account.module.css';

const LIMIT = 25;

export function AccountTxs({ address }: { readonly address: string }) {
  const { method } = useLocation().query;
  const list = useList(
    ['account-txs', address, method],
    (cursor) =>
      told(
        v1.GET('/v1/accounts/{addr}/txs', {
          params: {
            path: { addr: address },
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
    <>
      <div class={css.controls}>
        <MethodFilter methods={list.data?.methods ?? []} />
        <NewRows list={list} limit={LIMIT} />
      </div>
      <Answer asked={list} rows={12}>
        {({ txs }) =>
          txs.length === 0 ? (
            <Empty>
              {method === undefined
                ? 'This account has not taken part in a transaction yet.'
                : 'No transaction of this account has this method.'}
            </Empty>
          ) : (
            <>
              <TxTable label="Transactions of this account, newest first" txs={txs} />
              <TxPager list={list} />
            </>
          )
        }
      </Answer>
    </>
  );
}
