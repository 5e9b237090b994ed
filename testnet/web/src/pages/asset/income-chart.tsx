import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Accrual, Asset, Distribution } from '../../../../../clients/ts/src/client.ts';
import { useAnswer } from '../../data/answers.ts';
import { denomText, useChain } from '../../data/chain.ts';
import { told, v1 } from '../../data/client.ts';
import { Answer } from '../../parts/answer.tsx';
import { TimeChart } from '../../parts/chart.tsx';
import { countText } from '../../text/amounts.ts';
import { inBuckets } from '../../text/buckets.ts';
import { visibleText } from '../../text/visible.ts';
import css from './asset.module.css';

const PAGE = 100;
const MOST_PAGES = 5;
const MOST_BARS = 60;

/** Payouts to one kind in one coin, by equal spans of time. */
export function IncomeChart({
  asset,
  accrual,
  name,
}: {
  readonly asset: Asset;
  readonly accrual: Accrual;
  readonly name: string;
}) {
  const { data: chain } = useChain();
  const asked = useAnswer(['charted-distributions', asset.id], () => newestDistributions(asset.id));
  const count = asset.accruals.reduce((sum, { distributions_count }) => sum + distributions_count, 0);
  const drawnCount = useRef(count);
  useEffect(() => {
    if (drawnCount.current === count) return;
    drawnCount.current = count;
    asked.retry();
  }, [count, asked.retry]);
  const { kind_id, denom } = accrual;
  const unit = denomText(chain, denom);
  const made = useMemo(
    () =>
      inBuckets(
        (asked.data ?? [])
          .filter((each) => each.kind_id === kind_id && each.denom === denom)
          .map(({ block_time, amount }) => ({ at: block_time, amount })),
        MOST_BARS,
      ),
    [asked.data, kind_id, denom],
  );
  return (
    <Answer asked={asked} rows={8}>
      {(distributions) => (
        <>
          <TimeChart
            label={`Paid to ${name}: ${visibleText(unit.symbol)} per ${made.span}`}
            points={made.buckets}
            kind="bars"
            unit={unit}
          />
          {distributions.length < count && (
            <p class={css.note}>
              Of {countText(count)} payouts the newest {countText(distributions.length)} are drawn.
            </p>
          )}
        </>
      )}
    </Answer>
  );
}

async function newestDistributions(id: string): Promise<readonly Distribution[]> {
  const found: Distribution[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MOST_PAGES; page++) {
    const query: { limit: number; cursor?: string } = {
      limit: PAGE,
      ...(cursor === null ? {} : { cursor }),
    };
    const answer = await told(v1.GET('/v1/assets/{id}/distributions', { params: { path: { id }, query } }));
    found.push(...answer.distributions);
    cursor = answer.next_cursor;
    if (cursor === null) break;
  }
  return found;
}
