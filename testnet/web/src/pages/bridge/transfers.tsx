import { useLocation } from 'preact-iso';
import type { BridgeRoute, BridgeTransfer } from '../../../../../clients/ts/src/client.ts';
import { told, v1 } from '../../data/client.ts';
import { useList } from '../../data/lists.ts';
import { Address } from '../../parts/address.tsx';
import { Answer, Empty } from '../../parts/answer.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Bridged } from '../../parts/bridged.tsx';
import { Choice } from '../../parts/button.tsx';
import { ChainText } from '../../parts/chain-text.tsx';
import { Hash } from '../../parts/hash.tsx';
import { Section } from '../../parts/page.tsx';
import { NewRows, Pager, withQuery } from '../../parts/pager.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { placeHref } from '../../parts/tx-or-block.tsx';
import { Right } from '../../parts/units.tsx';
import {
  reasonWords,
  TRANSFER_FILTERS,
  TRANSFER_STATUS,
  timeOfNs,
  transferFilter,
} from '../../text/bridge.ts';
import css from './bridge.module.css';
import { routeHref } from './routes.tsx';

const LIMIT = 50;

type RouteOfId = (id: string) => BridgeRoute | undefined;

/** What moved over one route, or over all; `?status=` keeps those in one state, `?account=` those of one account. */
export function Transfers({ route, routeOf }: { readonly route?: string; readonly routeOf: RouteOfId }) {
  const { query, url } = useLocation();
  const status = transferFilter(query.status);
  const account = query.account;
  const list = useList(
    ['bridge', 'transfers', route, status, account],
    (cursor) =>
      told(
        v1.GET('/v1/bridge/transfers', {
          params: {
            query: {
              limit: LIMIT,
              ...(route === undefined ? {} : { route }),
              ...(status === undefined ? {} : { status }),
              ...(account === undefined ? {} : { account }),
              ...(cursor === undefined ? {} : { cursor }),
            },
          },
        }),
      ),
    ({ transfers }) => transfers.map(idOf),
  );
  const to = (one: string | undefined) => withQuery(url, { status: one, cursor: undefined });
  return (
    <Section title="Transfers" aside={<NewRows list={list} limit={LIMIT} />}>
      <div class={css.filters}>
        <Choice
          label="Status of the transfers"
          options={[
            { text: 'All', href: to(undefined), isOn: status === undefined },
            ...TRANSFER_FILTERS.map((one) => ({
              text: TRANSFER_STATUS[one][0],
              href: to(one),
              isOn: one === status,
            })),
          ]}
        />
        {status !== undefined && <span class="soft">{TRANSFER_STATUS[status][2]}</span>}
        {account !== undefined && (
          <span>
            Only those of <Address value={account} />{' '}
            <a href={withQuery(url, { account: undefined, cursor: undefined })}>Show all</a>
          </span>
        )}
      </div>
      <Answer asked={list} rows={20}>
        {({ transfers }) =>
          transfers.length === 0 ? (
            <Empty>No such transfer has been made yet. It shows here as soon as one is.</Empty>
          ) : (
            <>
              <Table
                label="Transfers, newest first"
                rows={transfers}
                keyOf={idOf}
                hrefOf={placeHref}
                columns={[
                  {
                    head: 'What',
                    cell: (transfer) => <What transfer={transfer} route={routeOf(transfer.route_id)} />,
                  },
                  { head: 'From', cell: ({ sender }) => <Party value={sender} /> },
                  { head: 'To', cell: ({ recipient }) => <Party value={recipient} /> },
                  ...(route === undefined
                    ? [
                        {
                          head: 'Route',
                          phone: 'no' as const,
                          cell: ({ route_id }: BridgeTransfer) => (
                            <a href={routeHref(route_id)}>
                              <ChainText text={route_id} />
                            </a>
                          ),
                        },
                      ]
                    : []),
                  { head: 'Status', cell: (transfer) => <StatusOf transfer={transfer} /> },
                  {
                    head: 'Time',
                    cell: (transfer) => (
                      <a href={placeHref(transfer)}>
                        <Time at={timeOfNs(transfer.block_time_ns)} />
                      </a>
                    ),
                  },
                ]}
              />
              <Pager list={list} />
            </>
          )
        }
      </Answer>
    </Section>
  );
}

function idOf({ height, tx_index, event_index }: BridgeTransfer): string {
  return `${height}/${tx_index}/${event_index}`;
}

/** An account here, or one of the other chain. */
function Party({ value }: { readonly value: string }) {
  return value.startsWith('0x') ? (
    <Hash value={value} what="address on the other chain" />
  ) : (
    <Address value={value} />
  );
}

function What({
  transfer,
  route,
}: {
  readonly transfer: BridgeTransfer;
  readonly route: BridgeRoute | undefined;
}) {
  const way = transfer.direction === 'out' ? 'Out' : 'In';
  return (
    <span class={css.what}>
      {way}
      {transfer.asset_id !== '' ? (
        <>
          :{' '}
          <Right
            assetId={transfer.asset_id}
            kindId={transfer.kind_id}
            value={transfer.amount}
            share={transfer.bundle}
          />
        </>
      ) : (
        // a refused one may have named a route that there is not
        route !== undefined && (
          <>
            : <Bridged route={route} value={transfer.amount} />
          </>
        )
      )}
    </span>
  );
}

function StatusOf({ transfer }: { readonly transfer: BridgeTransfer }) {
  const [word, tone, what] = TRANSFER_STATUS[transfer.status];
  return (
    <span class={css.status} title={what}>
      <Badge tone={tone}>{word}</Badge>
      {transfer.reason !== '' && <span class={css.reason}>{reasonWords(transfer.reason)}</span>}
    </span>
  );
}
