import type { NetworkStats } from '../../../clients/ts/src/client.ts';
import { useChain } from '../data/chain.ts';
import { told, v1 } from '../data/client.ts';
import { status } from '../data/live.ts';
import { type Asked, useAsk } from '../data/queries.ts';
import { Coin } from '../parts/amount.tsx';
import { Answer } from '../parts/answer.tsx';
import { Figures, Page, Section } from '../parts/page.tsx';
import { DayBars } from '../parts/series.tsx';
import { Time } from '../parts/time.tsx';
import { countText } from '../text/amounts.ts';
import { CoreSample } from './overview/core-sample.tsx';
import { Latest } from './overview/latest.tsx';
import css from './overview/overview.module.css';

const STATS_MS = 5_000;

/** The chain at a glance: its last blocks as a core sample, its totals, its last two weeks. */
export function Overview() {
  const network = useAsk(['stats', 'network'], () => told(v1.GET('/v1/stats/network')), {
    everyMs: STATS_MS,
  });
  return (
    <Page title="Overview" lead={<Position />}>
      <div class={css.halves}>
        <Section title="The last blocks">
          <CoreSample />
        </Section>
        <div class={css.latest}>
          <Latest />
        </div>
        <div class={css.side}>
          <Network asked={network} />
        </div>
      </div>
    </Page>
  );
}

function Position() {
  const { data: chain } = useChain();
  const at = status.value;
  if (at === undefined) return <>Asking the indexer…</>;
  const lag = at.lag_blocks === 0 ? 'up to date' : `${countText(at.lag_blocks)} blocks behind`;
  return (
    <>
      {chain === undefined ? '' : `${chain.chain_id}, `}block {countText(at.indexed_height)},{' '}
      <Time at={at.latest_block_time} />, {lag}
      {at.drift_total > 0 && (
        <>
          , <a href="/checks">{countText(at.drift_total)} disagreements</a>
        </>
      )}
    </>
  );
}

function Network({ asked }: { readonly asked: Asked<NetworkStats> }) {
  const { data: chain } = useChain();
  return (
    <Answer asked={asked} rows={12}>
      {({ totals, daily }) => (
        <div class={css.network}>
          <Section title="So far">
            <Figures
              rows={[
                ['Transactions', countText(totals.transactions)],
                ['Accounts', countText(totals.accounts)],
                ['Assets', countText(totals.assets)],
                ['Settlements settled', countText(totals.settlements_settled)],
                ['Distributions', countText(totals.distributions)],
                [
                  'Income paid',
                  <Coin
                    key="paid"
                    amount={totals.distributed_stable}
                    denom={chain?.stable_denom ?? ''}
                    maxFraction={2}
                  />,
                ],
              ]}
            />
          </Section>
          <Section title="The last two weeks">
            <div class={css.series}>
              <DayBars
                label="Transactions"
                days={daily.map(({ day, transactions }) => ({ day, count: transactions }))}
              />
              <DayBars
                label="Active accounts"
                days={daily.map(({ day, active_addresses }) => ({ day, count: active_addresses }))}
              />
              <DayBars label="Swaps" days={daily.map(({ day, swaps }) => ({ day, count: swaps }))} />
            </div>
          </Section>
        </div>
      )}
    </Answer>
  );
}
