import type { ComponentChildren, FunctionComponent } from 'preact';
import type { Settlement } from '../../../../../clients/ts/src/client.ts';
import { useAnswer } from '../../data/answers.ts';
import { told, v1 } from '../../data/client.ts';
import { useDeal } from '../../data/deals.ts';
import { nowMs } from '../../data/live.ts';
import { myAddress } from '../../data/me.ts';
import { Address } from '../../parts/address.tsx';
import { Answer } from '../../parts/answer.tsx';
import { AssetLink } from '../../parts/asset-link.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Hash } from '../../parts/hash.tsx';
import { Facts, Page, Section } from '../../parts/page.tsx';
import { OneThing } from '../../parts/things.tsx';
import { Time } from '../../parts/time.tsx';
import { Timeline } from '../../parts/timeline.tsx';
import { countText } from '../../text/amounts.ts';
import {
  assetsOf,
  partIn,
  SETTLEMENT_EVENTS,
  SETTLEMENT_STATUS,
  stageOf,
  stageWords,
  type Thing,
  thingKey,
} from '../../text/settlements.ts';
import { dateTimeText } from '../../text/times.ts';
import css from './settlement.module.css';

const ASK_MS = 2_000;

/** What the viewer may do with a settlement that is open and names the viewer as a party: accept it, cancel it. */
export type SettlementActions = FunctionComponent<{ readonly settlement: Settlement }>;

/** One settlement: both sides, its state in words, and its history. `Actions` stands where it says what may be done now. */
export function SettlementPage({
  id,
  Actions,
}: {
  readonly id: string;
  readonly Actions?: SettlementActions;
}) {
  const asked = useAnswer(
    ['settlement', id],
    () => told(v1.GET('/v1/settlements/{id}', { params: { path: { id: Number(id) } } })),
    { everyMs: ASK_MS },
  );
  const settlement = asked.data?.settlement;
  return (
    <Page
      title={`Settlement ${/^\d+$/.test(id) ? countText(id) : id}`}
      lead={settlement === undefined ? ' ' : <Lead settlement={settlement} />}
    >
      <Answer asked={asked} rows={12} missing="There is no settlement of this number.">
        {(data) => (
          <Told settlement={data.settlement}>
            {Actions !== undefined && <Actions settlement={data.settlement} />}
          </Told>
        )}
      </Answer>
    </Page>
  );
}

function Lead({ settlement }: { readonly settlement: Settlement }) {
  const [word, tone] = SETTLEMENT_STATUS[settlement.status];
  return (
    <>
      <Badge tone={tone}>{word}</Badge>
      {settlement.status === 'STATUS_PENDING' && (
        <>
          {' '}
          its time ends <Time at={settlement.expiry} />
        </>
      )}
    </>
  );
}

function Told({
  settlement,
  children,
}: {
  readonly settlement: Settlement;
  readonly children: ComponentChildren;
}) {
  const { gives, gets } = useDeal(settlement.legs);
  const stage = stageOf(settlement, nowMs.value);
  const part = partIn(settlement, myAddress.value);
  return (
    <>
      <Section title="Who gives what for what">
        <div class={css.sides}>
          <Side who={settlement.proposer} as="the proposer" gives={gives} />
          <Side who={settlement.counterparty} as="the counterparty" gives={gets} />
        </div>
      </Section>
      <Section title="What may happen now">
        <div class={css.now}>
          <p>{stageWords(stage, part)}</p>
          {stage === 'liquidated' && <Liquidated settlement={settlement} />}
          {stage === 'open' && part !== 'none' && children}
        </div>
      </Section>
      <Section title="What happened">
        <Timeline
          label="What happened, oldest first"
          rows={(settlement.timeline ?? []).map(({ event, height, block_time, tx_hash, actor }) => ({
            what:
              event === 'cancelled' && stage === 'liquidated'
                ? 'Cancelled by the liquidation of an asset'
                : SETTLEMENT_EVENTS[event],
            height,
            at: block_time,
            txHash: tx_hash,
            actor,
          }))}
        />
      </Section>
      <Section title="Details">
        <Facts
          rows={[
            ['Proposer', <Address key="p" value={settlement.proposer} whole />],
            ['Counterparty', <Address key="c" value={settlement.counterparty} whole />],
            ['Proposed', <Time key="t" at={settlement.created_at} />],
            [
              stage === 'open' ? 'Can be accepted until' : 'Could be accepted until',
              <span key="e">
                {dateTimeText(settlement.expiry)} UTC{' '}
                <span class="soft">
                  (<Time at={settlement.expiry} />)
                </span>
              </span>,
            ],
            ['Note', settlement.memo_hash === '' ? 'none' : <Note key="m" hash={settlement.memo_hash} />],
            ['Last changed in', <BlockLink key="b" height={settlement.updated_height} />],
          ]}
        />
      </Section>
    </>
  );
}

function BlockLink({ height }: { readonly height: number }) {
  return <a href={`/block/${height}`}>block {countText(height)}</a>;
}

function Note({ hash }: { readonly hash: string }) {
  return (
    <>
      the two know it; the chain keeps its hash <Hash value={hash} what="hash of the note" />
    </>
  );
}

function Side({
  who,
  as,
  gives,
}: {
  readonly who: string;
  readonly as: string;
  readonly gives: readonly Thing[];
}) {
  return (
    <div class={css.side}>
      <h3>
        <Address value={who} /> {as}, gives
      </h3>
      <ul>
        {gives.map((thing) => (
          <li key={thingKey(thing)}>
            <OneThing thing={thing} />
          </li>
        ))}
        {gives.length === 0 && <li class="soft">nothing</li>}
      </ul>
    </div>
  );
}

function Liquidated({ settlement }: { readonly settlement: Settlement }) {
  return (
    <p>
      Look at how the liquidation goes:{' '}
      {assetsOf(settlement.legs).map((assetId) => (
        <AssetLink key={assetId} id={assetId} />
      ))}
    </p>
  );
}
