import type { Tx } from '../../../../clients/ts/src/client.ts';
import { whatOf } from '../../../src/what.ts';
import { useChain } from '../data/chain.ts';
import { methodText } from '../text/methods.ts';
import { type TxWords, txWords } from '../text/sentences/txs.ts';
import { Address } from './address.tsx';
import { Coin } from './amount.tsx';
import { Badge, WhatDot } from './badge.tsx';
import { Hash } from './hash.tsx';
import { Say } from './sentence.tsx';
import { type Column, Table } from './table.tsx';
import { Time } from './time.tsx';
import css from './tx-table.module.css';

interface Row {
  readonly tx: Tx;
  readonly words: TxWords;
}

/** Transactions as rows: what, which, who, what it did, what it cost, when. A block's own page leaves the time out. */
export function TxTable({
  label,
  txs,
  withTime = true,
}: {
  readonly label: string;
  readonly txs: readonly Tx[];
  readonly withTime?: boolean;
}) {
  const rows = txs.map((tx): Row => ({ tx, words: txWords(tx) }));
  const time: Column<Row> = {
    head: 'Time',
    right: true,
    cell: ({ tx }) => <Time at={tx.block_time} />,
  };
  return (
    <Table
      label={label}
      rows={rows}
      keyOf={({ tx }) => `${tx.height}/${tx.tx_index}`}
      hrefOf={({ tx }) => `/tx/${tx.hash}`}
      columns={[
        { head: 'Method', cell: ({ tx }) => <Method tx={tx} /> },
        {
          head: 'Hash',
          phone: 'no',
          cell: ({ tx }) => <Hash value={tx.hash} href={`/tx/${tx.hash}`} what="transaction hash" />,
        },
        { head: 'By', cell: ({ words }) => <Who words={words} /> },
        { head: 'What it did', wide: true, cell: ({ words }) => <Say sentence={words.inShort} /> },
        { head: 'Fee', right: true, phone: 'no', cell: ({ tx }) => <Fee tx={tx} /> },
        ...(withTime ? [time] : []),
      ]}
    />
  );
}

/** Its colour, its first message in words, and that it failed. */
export function Method({ tx }: { readonly tx: Tx }) {
  const { data: chain } = useChain();
  const what = whatOf(tx, chain?.namespace ?? '');
  const { name, module } = methodText(String(tx.msgs[0]?.['@type'] ?? ''));
  return (
    <span class={css.method}>
      <WhatDot what={what} />
      <span>{name === '' ? 'No message' : name}</span>
      <span class={css.module}>{module}</span>
      {what === 'failed' && <Badge tone="bad">failed</Badge>}
    </span>
  );
}

/** What was offered for it. */
export function Fee({ tx }: { readonly tx: Tx }) {
  const coins = tx.fee.filter(({ amount }) => amount !== '0');
  if (coins.length === 0) return <span class="soft">none</span>;
  return (
    <>
      {coins.map(({ amount, denom }) => (
        <Coin key={denom} amount={amount} denom={denom} />
      ))}
    </>
  );
}

function Who({ words: { who } }: { readonly words: TxWords }) {
  if (typeof who === 'string') return <span class="soft">{who}</span>;
  return who.is === 'address' ? <Address value={who.address} /> : <Say sentence={[who]} />;
}
