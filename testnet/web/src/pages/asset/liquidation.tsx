import { type ComponentChildren, Fragment } from 'preact';
import type { Asset, AssetLiquidation } from '../../../../../clients/ts/src/client.ts';
import { Address } from '../../parts/address.tsx';
import { Amount, Coin } from '../../parts/amount.tsx';
import { Empty, Waiting } from '../../parts/answer.tsx';
import { Facts, Section } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { countText } from '../../text/amounts.ts';
import { kindNameOf } from '../../text/kinds.ts';

/** Who is paid first when the asset is wound up, what was paid, and what holders may hand their units in for. */
export function Liquidation({
  asset,
  liquidation: told,
}: {
  readonly asset: Asset;
  readonly liquidation: AssetLiquidation | undefined;
}) {
  if (told === undefined) return <Waiting rows={8} />;
  const { waterfall, liquidation, redemption_pools: pools } = told;
  if (waterfall.length === 0 && liquidation === null)
    return (
      <Empty>
        This asset has never been wound up, and its issuer has not said who would be paid first if it were.
      </Empty>
    );
  return (
    <>
      <Course liquidation={liquidation} />
      <Tiers asset={asset} told={told} />
      {pools.length > 0 && (
        <Section title="Redemption pools">
          <p>
            Whoever hands in units of a kind gets that part of its pool: what is left of the money, shared by
            all units that are left.
          </p>
          <Table
            label="Redemption pools by kind"
            rows={pools}
            keyOf={({ kind_id }) => kind_id}
            columns={[
              { head: 'Kind', cell: ({ kind_id }) => kindNameOf(asset, kind_id) },
              {
                head: 'Money so far',
                right: true,
                cell: (pool) => <Coin amount={pool.amount} denom={pool.denom} />,
              },
              {
                head: 'Money left',
                right: true,
                cell: (pool) => <Coin amount={pool.remaining_amount} denom={pool.denom} />,
              },
              {
                head: 'Units at the start',
                right: true,
                cell: (pool) => <UnitsOf asset={asset} kindId={pool.kind_id} value={pool.units} />,
              },
              {
                head: 'Units left',
                right: true,
                cell: (pool) => <UnitsOf asset={asset} kindId={pool.kind_id} value={pool.remaining_units} />,
              },
            ]}
          />
        </Section>
      )}
    </>
  );
}

function Course({ liquidation }: { readonly liquidation: AssetLiquidation['liquidation'] }) {
  if (liquidation === null)
    return (
      <p>
        This asset is not being wound up. If it ever is, money goes to its tiers in this order: each gets up
        to its cap before the next gets anything.
      </p>
    );
  const { denom, initiator, began_at, began_height, pool, closed_height } = liquidation;
  const rows: readonly (readonly [string, ComponentChildren])[] = [
    ['Begun by', <Address key="initiator" value={initiator} />],
    [
      'Begun',
      <Fragment key="began">
        <Time at={began_at} />, in block <a href={`/block/${began_height}`}>{countText(began_height)}</a>
      </Fragment>,
    ],
    [
      'Closed',
      closed_height === null ? (
        'not yet: anyone may still add money'
      ) : (
        <Fragment key="closed">
          in block <a href={`/block/${closed_height}`}>{countText(closed_height)}</a>
        </Fragment>
      ),
    ],
    [
      closed_height === null ? 'Waiting for a tier' : 'Not paid to any tier',
      <Coin key="pool" amount={pool} denom={denom} />,
    ],
  ];
  return (
    <Section title="The winding up">
      <Facts rows={rows} />
    </Section>
  );
}

function Tiers({ asset, told }: { readonly asset: Asset; readonly told: AssetLiquidation }) {
  const denom = told.liquidation?.denom ?? asset.settlement_denom;
  return (
    <Section title="Who is paid first">
      <Table
        label="Tiers, in the order in which they are paid"
        rows={told.waterfall}
        keyOf={({ tier }) => tier}
        columns={[
          { head: 'Tier', cell: ({ tier }) => tier },
          { head: 'Holders of', cell: ({ kind_id }) => kindNameOf(asset, kind_id) },
          {
            head: 'At most',
            right: true,
            cell: ({ cap }) => (cap === '0' ? 'no cap' : <Coin amount={cap} denom={denom} />),
          },
          {
            head: 'Paid',
            right: true,
            cell: ({ cumulative_paid }) => <Paid amounts={cumulative_paid} />,
          },
        ]}
      />
    </Section>
  );
}

function Paid({ amounts }: { readonly amounts: Readonly<Record<string, string>> }) {
  const paid = Object.entries(amounts);
  if (paid.length === 0) return <span class="soft">nothing yet</span>;
  return (
    <>
      {paid.map(([denom, amount]) => (
        <Coin key={denom} amount={amount} denom={denom} />
      ))}
    </>
  );
}

function UnitsOf({
  asset,
  kindId,
  value,
}: {
  readonly asset: Asset;
  readonly kindId: number;
  readonly value: string;
}) {
  return <Amount value={value} decimals={asset.kinds[kindId]?.decimals ?? 0} />;
}
