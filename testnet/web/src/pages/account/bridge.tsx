import type { BridgeTransfer } from '../../../../../clients/ts/src/client.ts';
import { told, v1 } from '../../data/client.ts';
import { useList } from '../../data/lists.ts';
import { Answer, Empty } from '../../parts/answer.tsx';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { ChainText } from '../../parts/chain-text.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Say } from '../../parts/sentence.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { placeHref, TxOrBlock } from '../../parts/tx-or-block.tsx';
import { capital, type Sentence } from '../../text/sentences/sentence.ts';

const LIMIT = 25;

const STATES: Readonly<Record<BridgeTransfer['status'], readonly [string, Tone]>> = {
  in_flight: ['on its way', 'plain'],
  completed: ['arrived', 'good'],
  rejected: ['refused', 'bad'],
};

export function Bridge({ address }: { readonly address: string }) {
  const list = useList(['bridge-transfers', address], (cursor) =>
    told(
      v1.GET('/v1/bridge/transfers', {
        params: {
          query: { account: address, limit: LIMIT, ...(cursor === undefined ? {} : { cursor }) },
        },
      }),
    ),
  );
  return (
    <Answer asked={list} rows={6}>
      {({ transfers }) =>
        transfers.length === 0 ? (
          <Empty>This account has sent nothing over the bridge, and nothing has come to it.</Empty>
        ) : (
          <>
            <Table
              label="Transfers over the bridge, newest first"
              rows={transfers}
              keyOf={({ height, tx_index, event_index }) => `${height}/${tx_index}/${event_index}`}
              hrefOf={placeHref}
              columns={[
                { head: 'What', cell: (row) => <Say sentence={capital(moved(row))} /> },
                {
                  head: 'Route',
                  cell: ({ route_id }) => (
                    <a href={`/bridge?route=${encodeURIComponent(route_id)}`}>
                      <ChainText text={route_id} />
                    </a>
                  ),
                },
                {
                  head: 'State',
                  cell: ({ status }) => <Badge tone={STATES[status][1]}>{STATES[status][0]}</Badge>,
                },
                {
                  head: 'Transaction',
                  phone: 'no',
                  cell: ({ tx_hash, height }) => <TxOrBlock tx_hash={tx_hash} height={height} />,
                },
                {
                  head: 'Time',
                  right: true,
                  cell: ({ block_time_ns }) => (
                    <Time at={new Date(Math.floor(block_time_ns / 1e6)).toISOString()} />
                  ),
                },
              ]}
            />
            <Pager list={list} />
          </>
        )
      }
    </Answer>
  );
}

function moved({ direction, route_id, amount, asset_id, kind_id, bundle }: BridgeTransfer): Sentence {
  const verb = direction === 'out' ? 'sent ' : 'received ';
  if (asset_id === '') return [verb, { is: 'routed', routeId: route_id, amount }];
  return [
    verb,
    { is: 'units', assetId: asset_id, kindId: bundle ? undefined : kind_id, units: amount },
    { is: 'asset', id: asset_id, lead: ' of ' },
  ];
}
