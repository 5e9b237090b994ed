import { useLocation } from 'preact-iso';
import type { Accrual, Asset } from '../../../../../clients/ts/src/client.ts';
import { denomText, useChain } from '../../data/chain.ts';
import { Coin } from '../../parts/amount.tsx';
import { Empty } from '../../parts/answer.tsx';
import { Section } from '../../parts/page.tsx';
import { withQuery } from '../../parts/pager.tsx';
import { Table } from '../../parts/table.tsx';
import { countText } from '../../text/amounts.ts';
import { kindNameOf } from '../../text/kinds.ts';
import { visibleText } from '../../text/visible.ts';
import css from './asset.module.css';
import { Distributions } from './distributions.tsx';
import { IncomeChart } from './income-chart.tsx';
import { Pick } from './pick.tsx';

/** What the asset paid out, to which kind, and what of it waits to be claimed. */
export function Income({ asset }: { readonly asset: Asset }) {
  if (asset.accruals.length === 0)
    return (
      <Empty>
        Nothing has been paid out yet. Anyone may pay out to the holders of a kind: each one then may claim
        its part.
      </Empty>
    );
  return (
    <>
      <OverTime asset={asset} />
      <Section title="Who may claim">
        <p>
          A payout is shared by all units of its kind at that moment. Whoever held them then may claim, also
          after giving them away; income of pledged units may go to another account. An account's own page
          says what it may claim.
        </p>
        <Accruals asset={asset} />
      </Section>
      <Distributions asset={asset} />
    </>
  );
}

/** `1.uusd`: what `?of=` holds. */
function accrualKey({ kind_id, denom }: Pick<Accrual, 'kind_id' | 'denom'>): string {
  return `${kind_id}.${denom}`;
}

function OverTime({ asset }: { readonly asset: Asset }) {
  const { url, query } = useLocation();
  const { data: chain } = useChain();
  const busiest = asset.accruals.toSorted((a, b) => b.distributions_count - a.distributions_count)[0];
  const chosen = asset.accruals.find((each) => accrualKey(each) === query.of) ?? busiest;
  if (chosen === undefined) return null;
  return (
    <Section
      title="Income over time"
      aside={
        <Pick
          label="Kind and coin"
          options={asset.accruals.map((each) => ({
            text: `${kindNameOf(asset, each.kind_id)}, ${visibleText(denomText(chain, each.denom).symbol)}`,
            href: withQuery(url, { of: accrualKey(each) }),
            isOn: each === chosen,
          }))}
        />
      }
    >
      <IncomeChart asset={asset} accrual={chosen} name={kindNameOf(asset, chosen.kind_id)} />
    </Section>
  );
}

function Accruals({ asset }: { readonly asset: Asset }) {
  return (
    <Table
      label="Income by kind and coin"
      rows={asset.accruals}
      keyOf={accrualKey}
      columns={[
        {
          head: 'Kind',
          cell: ({ kind_id }) => (
            <a href={`/asset/${asset.id}?tab=holders&kind=${kind_id}`}>{kindNameOf(asset, kind_id)}</a>
          ),
        },
        {
          head: 'Paid out',
          right: true,
          cell: ({ total_distributed, denom }) => <Coin amount={total_distributed} denom={denom} />,
        },
        { head: 'Payouts', right: true, cell: ({ distributions_count }) => countText(distributions_count) },
        {
          head: 'Claimed',
          right: true,
          cell: ({ total_paid, denom }) => <Coin amount={total_paid} denom={denom} />,
        },
        {
          head: 'May be claimed now',
          right: true,
          cell: ({ sum_claimable, denom }) => (
            <strong>
              <Coin amount={sum_claimable} denom={denom} />
            </strong>
          ),
        },
        { head: 'Left by rounding', right: true, phone: 'no', cell: (row) => <Rounding accrual={row} /> },
      ]}
    />
  );
}

/** What rounding keeps in the chain's account: the next payout's carry, and the residue of rounding down for each holder. */
function Rounding({ accrual: { carry, residue, denom } }: { readonly accrual: Accrual }) {
  return (
    <span
      class={css.note}
      title="A payout is cut to whole base units for each holder; what that leaves stays with the chain."
    >
      <Coin amount={(BigInt(carry) + BigInt(residue)).toString()} denom={denom} />
    </span>
  );
}
