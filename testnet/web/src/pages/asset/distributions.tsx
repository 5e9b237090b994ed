import type { Asset } from '../../../../../clients/ts/src/client.ts';
import { told, v1 } from '../../data/client.ts';
import { useList } from '../../data/lists.ts';
import { Address } from '../../parts/address.tsx';
import { Amount, Coin } from '../../parts/amount.tsx';
import { Answer } from '../../parts/answer.tsx';
import { Section } from '../../parts/page.tsx';
import { NewRows, Pager } from '../../parts/pager.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { placeHref, TxOrBlock } from '../../parts/tx-or-block.tsx';
import { kindNameOf } from '../../text/kinds.ts';

const LIMIT = 25;

/** Every payout, newest first. */
export function Distributions({ asset }: { readonly asset: Asset }) {
  const { id } = asset;
  const list = useList(
    ['distributions', id],
    (cursor) =>
      told(
        v1.GET('/v1/assets/{id}/distributions', {
          params: { path: { id }, query: { limit: LIMIT, ...(cursor === undefined ? {} : { cursor }) } },
        }),
      ),
    ({ distributions }) => distributions.map(rowKey),
  );
  return (
    <Section title="Payouts" aside={<NewRows list={list} limit={LIMIT} />}>
      <Answer asked={list} rows={10}>
        {({ distributions }) => (
          <>
            <Table
              label="Payouts, newest first"
              rows={distributions}
              keyOf={rowKey}
              hrefOf={placeHref}
              columns={[
                { head: 'To', cell: ({ kind_id }) => kindNameOf(asset, kind_id) },
                {
                  head: 'Amount',
                  right: true,
                  cell: ({ amount, denom }) => <Coin amount={amount} denom={denom} />,
                },
                {
                  head: 'Shared by',
                  right: true,
                  phone: 'no',
                  cell: ({ kind_id, supply }) => (
                    <Amount value={supply} decimals={asset.kinds[kind_id]?.decimals ?? 0} symbol="units" />
                  ),
                },
                { head: 'From', cell: ({ payer }) => <Address value={payer} /> },
                { head: 'Time', cell: ({ block_time }) => <Time at={block_time} /> },
                {
                  head: 'Transaction',
                  phone: 'no',
                  cell: ({ tx_hash, height }) => <TxOrBlock tx_hash={tx_hash} height={height} />,
                },
              ]}
            />
            <Pager list={list} />
          </>
        )}
      </Answer>
    </Section>
  );
}

function rowKey({
  height,
  tx_index,
  event_index,
}: {
  readonly height: number;
  readonly tx_index: number;
  readonly event_index: number;
}): string {
  return `${height}/${tx_index}/${event_index}`;
}
