import { useRoute } from 'preact-iso';
import type { BlockDetail } from '../../../../clients/ts/src/client.ts';
import { useAnswer } from '../data/answers.ts';
import { told, v1 } from '../data/client.ts';
import { status } from '../data/live.ts';
import { Answer, Empty, Waiting } from '../parts/answer.tsx';
import { ButtonLink } from '../parts/button.tsx';
import { EventTable } from '../parts/event-table.tsx';
import { Hash } from '../parts/hash.tsx';
import { Facts, Page, Section } from '../parts/page.tsx';
import { Time } from '../parts/time.tsx';
import { TxTable } from '../parts/tx-table.tsx';
import { countText } from '../text/amounts.ts';
import { exactTime } from '../text/times.ts';

/** One block. One above the newest is waited for, and shows itself when it comes. */
export function BlockOfUrl() {
  const { params } = useRoute();
  const text = params.height ?? '';
  const height = /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  if (height === undefined)
    return (
      <Page title="Not a block" lead="A block is named by its height, a whole number.">
        <p>
          Look at <a href="/blocks">the newest blocks</a>.
        </p>
      </Page>
    );
  return <Block key={height} height={height} />;
}

function Block({ height }: { readonly height: number }) {
  const newest = status.value?.indexed_height;
  const isThere = newest !== undefined && height <= newest;
  const block = useAnswer(
    ['block', height],
    () => told(v1.GET('/v1/blocks/{height}', { params: { path: { height } } })),
    { enabled: isThere, staysAsItIs: true },
  );
  return (
    <Page
      title={`Block ${countText(height)}`}
      aside={
        <>
          {height > 1 && <ButtonLink href={`/block/${height - 1}`}>Older</ButtonLink>}
          <ButtonLink href={`/block/${height + 1}`}>Newer</ButtonLink>
        </>
      }
    >
      {newest !== undefined && !isThere ? (
        <NotYet height={height} newest={newest} />
      ) : newest === undefined ? (
        <Waiting rows={12} />
      ) : (
        <Answer asked={block} rows={12} missing="This block has not been indexed.">
          {(detail) => <Detail detail={detail} />}
        </Answer>
      )}
    </Page>
  );
}

function NotYet({ height, newest }: { readonly height: number; readonly newest: number }) {
  return (
    <Empty>
      This block has not come yet: the newest is <a href={`/block/${newest}`}>block {countText(newest)}</a>,{' '}
      {countText(height - newest)} before it. It shows here by itself when it comes.
    </Empty>
  );
}

function Detail({ detail: { block, txs, events } }: { readonly detail: BlockDetail }) {
  return (
    <>
      <Facts
        rows={[
          [
            'Time',
            <span key="time">
              {exactTime(block.time)} <span class="soft">(</span>
              <Time at={block.time} />
              <span class="soft">)</span>
            </span>,
          ],
          ['Hash', <Hash key="hash" value={block.hash} whole what="block hash" />],
          ['Proposer', <Hash key="proposer" value={block.proposer} whole what="proposer" />],
          ['Transactions', countText(block.tx_count)],
          [
            'Events',
            `${countText(block.event_count)}, ${countText(events.length)} of them of the block itself`,
          ],
        ]}
      />
      <Section title="Transactions">
        {txs.length === 0 ? (
          <Empty>There is no transaction in this block.</Empty>
        ) : (
          <TxTable label={`Transactions of block ${block.height}`} txs={txs} withTime={false} />
        )}
      </Section>
      <Section title="Events of the block itself">
        {events.length === 0 ? (
          <Empty>Nothing happened at its beginning or end.</Empty>
        ) : (
          <EventTable label={`Events of block ${block.height} itself`} events={events} />
        )}
      </Section>
    </>
  );
}
