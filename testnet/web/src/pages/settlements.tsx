import { useLocation } from 'preact-iso';
import type { Settlement } from '../../../../clients/ts/src/client.ts';
import { told, v1 } from '../data/client.ts';
import { useDeal } from '../data/deals.ts';
import { useList } from '../data/lists.ts';
import { Address } from '../parts/address.tsx';
import { Answer, Empty } from '../parts/answer.tsx';
import { Badge } from '../parts/badge.tsx';
import { Choice } from '../parts/button.tsx';
import { Page } from '../parts/page.tsx';
import { NewRows, Pager, withQuery } from '../parts/pager.tsx';
import { Table } from '../parts/table.tsx';
import { Things } from '../parts/things.tsx';
import { Time } from '../parts/time.tsx';
import { countText } from '../text/amounts.ts';
import { rowNow } from '../text/settlement-rows.ts';
import {
  SETTLEMENT_FILTERS,
  SETTLEMENT_STATUS,
  type SettlementFilter,
  settlementFilter,
} from '../text/settlements.ts';
import css from './settlement/settlement.module.css';

const LIMIT = 50;

const EMPTY: Readonly<Record<SettlementFilter | 'all', string>> = {
  all: 'Nobody has proposed a settlement yet. Whoever asks the desk for a quote gets one.',
  pending:
    'No settlement waits for its counterparty at the moment. Look at all of them, or ask the desk for a quote.',
  settled: 'No settlement has been accepted yet.',
  cancelled: 'No settlement has been cancelled yet.',
  expired: 'No settlement has run out of time yet.',
};

/** Every settlement of the chain, in words; `?status=` keeps those in one state, `?party=` those of one account. */
export function Settlements() {
  const { query, url } = useLocation();
  const filter = settlementFilter(query.status);
  const party = query.party;
  const list = useList(
    ['settlements', filter, party],
    (cursor) =>
      told(
        v1.GET('/v1/settlements', {
          params: {
            query: {
              limit: LIMIT,
              ...(filter === undefined ? {} : { status: filter }),
              ...(party === undefined ? {} : { party }),
              ...(cursor === undefined ? {} : { cursor }),
            },
          },
        }),
      ),
    ({ settlements }) => settlements.map(({ id }) => id),
  );
  const to = (status: SettlementFilter | undefined) => withQuery(url, { status, cursor: undefined });
  return (
    <Page
      title="Settlements"
      lead="Trades between two parties in which both sides change hands in the same block, or nothing does."
      aside={<NewRows list={list} limit={LIMIT} />}
    >
      <div class={css.filters}>
        <Choice
          label="Status"
          options={[
            { text: 'All', href: to(undefined), isOn: filter === undefined },
            ...SETTLEMENT_FILTERS.map((one) => ({
              text: one.charAt(0).toUpperCase() + one.slice(1),
              href: to(one),
              isOn: filter === one,
            })),
          ]}
        />
        {party !== undefined && (
          <p class={css.party}>
            Only those of <Address value={party} />
            <a href={withQuery(url, { party: undefined, cursor: undefined })}>Show all</a>
          </p>
        )}
      </div>
      <Answer asked={list} rows={20}>
        {({ settlements }) =>
          settlements.length === 0 ? (
            <Empty>{EMPTY[filter ?? 'all']}</Empty>
          ) : (
            <>
              <Table
                label="Settlements, newest first"
                rows={settlements.map((shown) => rowNow(shown, list.newest?.settlements))}
                keyOf={({ row }) => row.id}
                hrefOf={({ row }) => `/settlement/${row.id}`}
                columns={[
                  {
                    head: 'Number',
                    cell: ({ row }) => <a href={`/settlement/${row.id}`}>{countText(row.id)}</a>,
                    phone: 'no',
                  },
                  {
                    head: 'Who gives what for what',
                    cell: ({ row }) => <Deal of={row} />,
                    phone: 'title',
                    percent: 70,
                  },
                  {
                    head: 'Status',
                    cell: ({ row, hasLeft }) =>
                      hasLeft ? <Badge>No longer {filter}</Badge> : <StatusOf settlement={row} />,
                  },
                  { head: 'Proposed', cell: ({ row }) => <Time at={row.created_at} /> },
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

function StatusOf({ settlement }: { readonly settlement: Settlement }) {
  const [word, tone] = SETTLEMENT_STATUS[settlement.status];
  return (
    <Badge tone={tone}>
      {word}
      {settlement.cancel_reason === 'LIQUIDATION' && ' by liquidation'}
    </Badge>
  );
}

function Deal({ of }: { readonly of: Settlement }) {
  const { gives, gets } = useDeal(of.legs);
  return (
    <span class={css.deal}>
      <Address value={of.proposer} /> gives <Things things={gives} /> to <Address value={of.counterparty} />{' '}
      for <Things things={gets} />
    </span>
  );
}
