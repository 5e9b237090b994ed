import { useRef } from 'preact/hooks';
import type { Tx } from '../../../../../clients/ts/src/client.ts';
import { whatOf } from '../../../../src/what.ts';
import { useAnswer } from '../../data/answers.ts';
import { useChain } from '../../data/chain.ts';
import { told, v1 } from '../../data/client.ts';
import { Answer, Empty } from '../../parts/answer.tsx';
import { WhatDot } from '../../parts/badge.tsx';
import { Section } from '../../parts/page.tsx';
import { Say } from '../../parts/sentence.tsx';
import { Time } from '../../parts/time.tsx';
import { txWords } from '../../text/sentences/txs.ts';
import css from './latest.module.css';

const SHOWN = 8;
const EVERY_MS = 4_000;

/** What happens now, in sentences. It stands still while somebody points at it. */
export function Latest() {
  const stats = useAnswer(
    ['stats', 'latest'],
    () => told(v1.GET('/v1/stats', { params: { query: { limit: SHOWN } } })),
    { everyMs: EVERY_MS },
  );
  const isRead = useRef(false);
  const shown = useRef<readonly Tx[]>([]);
  const read = (is: boolean) => () => {
    isRead.current = is;
  };
  if (stats.data !== undefined && !(isRead.current && shown.current.length > 0))
    shown.current = stats.data.latest_txs;
  return (
    <Section title="The latest transactions" aside={<a href="/txs">All transactions</a>}>
      <div class={css.room}>
        <Answer asked={stats} rows={SHOWN}>
          {() =>
            shown.current.length === 0 ? (
              <Empty>No transaction has been indexed yet. The first one shows here as soon as it is.</Empty>
            ) : (
              <ul
                class={css.latest}
                onMouseEnter={read(true)}
                onMouseLeave={read(false)}
                onFocusIn={read(true)}
                onFocusOut={read(false)}
              >
                {shown.current.map((tx) => (
                  <Line key={`${tx.height}/${tx.tx_index}`} tx={tx} />
                ))}
              </ul>
            )
          }
        </Answer>
      </div>
    </Section>
  );
}

function Line({ tx }: { readonly tx: Tx }) {
  const { data: chain } = useChain();
  return (
    <li>
      <WhatDot what={whatOf(tx, chain?.namespace ?? '')} />
      <span class={css.words}>
        <Say sentence={txWords(tx).sentence} />
      </span>
      <a class={css.time} href={`/tx/${tx.hash}`}>
        <span class="visually-hidden">Transaction </span>
        <Time at={tx.block_time} />
      </a>
    </li>
  );
}
