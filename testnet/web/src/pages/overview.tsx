import type { NetworkStats } from '../../../../clients/ts/src/client.ts';
import { useAnswer } from '../data/answers.ts';
import { useChain } from '../data/chain.ts';
import { told, v1 } from '../data/client.ts';
import { status } from '../data/live.ts';
import type { Asked } from '../data/queries.ts';
import { Coin } from '../parts/amount.tsx';
import { Failed } from '../parts/answer.tsx';
import { Figures, Page, Section } from '../parts/page.tsx';
import { DayBars } from '../parts/series.tsx';
import { Time } from '../parts/time.tsx';
import { countText } from '../text/amounts.ts';
import { plural } from '../text/rights.ts';
import { CoreSample } from './overview/core-sample.tsx';
import { Latest } from './overview/latest.tsx';
import css from './overview/overview.module.css';

const STATS_MS = 5_000;

/** The chain at a glance: its last blocks as a core sample, its totals, its last two weeks. */
export function Overview() {
  const network = useAnswer(['stats', 'network'], () => told(v1.GET('/v1/stats/network')), {
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
  if (at === undefined) return <span class={css.position}>Asking the indexer…</span>;
  const lag =
    at.lag_blocks === 0
      ? 'up to date'
      : `${countText(at.lag_blocks)} ${plural('block', at.lag_blocks === 1)} behind`;
  return (
    <span class={css.position}>
      {chain === undefined ? '' : `${chain.chain_id}, `}block {countText(at.indexed_height)},{' '}
      <Time at={at.latest_block_time} />, {lag}
      {at.drift_total > 0 && (
        <>
          ,{' '}
          <a href="/checks">
            {countText(at.drift_total)} {plural('disagreement', at.drift_total === 1)}
          </a>
        </>
      )}
    </span>
  );
}

/** Its figures' places are there before they are, so that what stands below them does not move. */
function Network({ asked }: { readonly asked: Asked<NetworkStats> }) {
  const { data: chain } = useChain();
  if (asked.data === undefined && asked.error !== undefined)
    return <Failed error={asked.error} retry={asked.retry} />;
  const { totals, daily = [] } = asked.data ?? {};
  return (
    <div class={css.network} aria-busy={asked.data === undefined}>
      <Section title="So far">
        <Figures
          rows={[
            ['Transactions', figure(totals?.transactions)],
            ['Accounts', figure(totals?.accounts)],
            ['Assets', figure(totals?.assets)],
            ['Settlements settled', figure(totals?.settlements_settled)],
            ['Distributions', figure(totals?.distributions)],
            [
              'Income paid',
              totals === undefined ? (
                '…'
              ) : (
                <Coin
                  key="paid"
                  amount={totals.distributed_stable}
                  denom={chain?.stable_denom ?? ''}
                  maxFraction={2}
                />
              ),
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
  );
}

function figure(count: number | undefined): string {
  return count === undefined ? '…' : countText(count);
}
