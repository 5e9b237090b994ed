import { useLocation, useRoute } from 'preact-iso';
import type { Tx } from '../../../../clients/ts/src/client.ts';
import { useChain } from '../data/chain.ts';
import { useAssetWords } from '../data/documents.ts';
import { useTx } from '../data/txs.ts';
import { Answer } from '../parts/answer.tsx';
import { Choice } from '../parts/button.tsx';
import { EventTable } from '../parts/event-table.tsx';
import { Hash } from '../parts/hash.tsx';
import { Json } from '../parts/json.tsx';
import { Page, Section } from '../parts/page.tsx';
import { withQuery } from '../parts/pager.tsx';
import { Together } from '../parts/together.tsx';
import { assetsOf } from '../text/sentences/sentence.ts';
import { messageSentence, txWords } from '../text/sentences/txs.ts';
import { Awaited } from './tx/awaited.tsx';
import { EvmView } from './tx/evm.tsx';
import { Head } from './tx/head.tsx';
import { Messages } from './tx/messages.tsx';

const ROWS = 12;

/** One transaction: what it did in a sentence, then all that is known of it. `?wait=1` waits for one that was just sent. */
export function TxOfUrl() {
  const hash = useRoute().params.hash ?? '';
  return <TxOf key={hash} hash={hash} />;
}

function TxOf({ hash }: { readonly hash: string }) {
  const { query } = useLocation();
  const tx = useTx(hash, query.wait === '1');
  return (
    <Page title="Transaction" lead={<Hash value={hash} whole what="transaction hash" />}>
      {tx.isAwaited ? (
        <Awaited isTooLate={tx.isTooLate} />
      ) : (
        <Answer asked={tx} rows={ROWS} missing="No transaction of this hash has been indexed.">
          {(data) => <Read tx={data} />}
        </Answer>
      )}
    </Page>
  );
}

/** Shown once its sentences have their names: one that comes later breaks lines anew and moves all below. */
function Read({ tx }: { readonly tx: Tx }) {
  const { sentence, reason = [] } = txWords(tx);
  const sentences = tx.msgs.flatMap((_, at) => messageSentence(tx, at));
  const words = useAssetWords(assetsOf([...sentence, ...reason, ...sentences]));
  return (
    <Together asked={[words, useChain()]} rows={ROWS}>
      <Head tx={tx} />
      <Tabs tx={tx} />
    </Together>
  );
}

function Tabs({ tx }: { readonly tx: Tx }) {
  const { query, url } = useLocation();
  const tabs = [
    { id: 'messages', text: tx.msgs.length === 1 ? 'Message' : `Messages (${tx.msgs.length})` },
    { id: 'events', text: `Events (${tx.events.length})` },
    ...(tx.evm === null ? [] : [{ id: 'evm', text: 'EVM' }]),
    { id: 'raw', text: 'Raw' },
  ];
  const tab = tabs.find(({ id }) => id === query.tab)?.id ?? 'messages';
  return (
    <Section
      title="Details"
      aside={
        <Choice
          label="Parts of the transaction"
          options={tabs.map(({ id, text }) => ({
            text,
            href: withQuery(url, { tab: id === 'messages' ? undefined : id }),
            isOn: id === tab,
          }))}
        />
      }
    >
      {tab === 'messages' && <Messages tx={tx} />}
      {tab === 'events' &&
        (tx.events.length === 0 ? (
          <p class="soft">It failed before it was carried out, so that nothing happened.</p>
        ) : (
          <EventTable label="Events of the transaction" events={tx.events} />
        ))}
      {tab === 'evm' && tx.evm !== null && <EvmView tx={tx} evm={tx.evm} />}
      {tab === 'raw' && <Json value={tx} />}
    </Section>
  );
}
