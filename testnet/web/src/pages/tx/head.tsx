import type { Tx } from '../../../../../clients/ts/src/client.ts';
import { whatOf } from '../../../../src/what.ts';
import { useChain } from '../../data/chain.ts';
import { Badge, WhatDot } from '../../parts/badge.tsx';
import { Hash } from '../../parts/hash.tsx';
import { Facts } from '../../parts/page.tsx';
import { Say } from '../../parts/sentence.tsx';
import { Time } from '../../parts/time.tsx';
import { Fee } from '../../parts/tx-table.tsx';
import { countText } from '../../text/amounts.ts';
import { txWords } from '../../text/sentences/txs.ts';
import { exactTime } from '../../text/times.ts';
import css from './tx.module.css';

/** What it did in one sentence, why it failed if it did, and its facts. */
export function Head({ tx }: { readonly tx: Tx }) {
  const { data: chain } = useChain();
  const { sentence, reason } = txWords(tx);
  return (
    <div class={css.head}>
      <div class={css.sentence}>
        <WhatDot what={whatOf(tx, chain?.namespace ?? '')} />
        <Say sentence={sentence} />
      </div>
      {reason !== undefined && (
        <div class={css.reason}>
          <strong>Failed, and nothing but the fee has moved:</strong> <Say sentence={reason} />.
        </div>
      )}
      <Facts
        rows={[
          ['Result', <Result key="result" tx={tx} />],
          [
            'Block',
            <a key="block" href={`/block/${tx.height}`}>
              {countText(tx.height)}
            </a>,
          ],
          ['Place in the block', countText(tx.tx_index + 1)],
          [
            'Time',
            <span key="time">
              {exactTime(tx.block_time)} <span class="soft">(</span>
              <Time at={tx.block_time} />
              <span class="soft">)</span>
            </span>,
          ],
          ['Fee', <Fee key="fee" tx={tx} />],
          ['Gas', <Gas key="gas" tx={tx} />],
          [
            'Ethereum hash',
            tx.evm === null ? undefined : (
              <Hash key="eth" value={tx.evm.eth_hash} whole what="Ethereum hash" />
            ),
          ],
        ]}
      />
    </div>
  );
}

function Result({ tx: { code, codespace, evm } }: { readonly tx: Tx }) {
  if (code !== 0)
    return (
      <>
        <Badge tone="bad">failed</Badge>{' '}
        <span class="soft">
          code {code}
          {codespace === '' ? '' : ` of ${codespace}`}
        </span>
      </>
    );
  if (evm?.status === 0)
    return (
      <>
        <Badge tone="bad">failed</Badge> <span class="soft">reverted by the EVM; the chain took its fee</span>
      </>
    );
  return <Badge tone="good">done</Badge>;
}

/** What it used of what it was given. */
function Gas({ tx: { gas_used, gas_wanted } }: { readonly tx: Tx }) {
  if (gas_wanted <= 0) return <>{countText(gas_used)} used</>;
  return (
    <>
      {countText(gas_used)} used of {countText(gas_wanted)} wanted{' '}
      <span class="soft">({Math.floor((gas_used / gas_wanted) * 100)} %)</span>
    </>
  );
}
