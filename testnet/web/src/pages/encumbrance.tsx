import { useRoute } from 'preact-iso';
import type { Encumbrance, EncumbranceTimelineEntry } from '../../../../clients/ts/src/client.ts';
import { useAnswer } from '../data/answers.ts';
import { told, v1 } from '../data/client.ts';
import { nowMs } from '../data/live.ts';
import { Address } from '../parts/address.tsx';
import { Answer } from '../parts/answer.tsx';
import { AssetLink } from '../parts/asset-link.tsx';
import { Badge } from '../parts/badge.tsx';
import { Hash } from '../parts/hash.tsx';
import { Facts, Page, Section } from '../parts/page.tsx';
import { Time } from '../parts/time.tsx';
import { Timeline } from '../parts/timeline.tsx';
import { Right, Units } from '../parts/units.tsx';
import { countText } from '../text/amounts.ts';
import {
  ENCUMBRANCE_EVENTS,
  ENCUMBRANCE_KINDS,
  ENCUMBRANCE_STATUS,
  encumbranceWords,
  lockedAtFirst,
  mayExercise,
} from '../text/encumbrances.ts';
import { MayDo } from './encumbrance/may-do.tsx';

const ASK_MS = 5_000;

/** One encumbrance: what is locked, for whom, until when, and who may release or take it. */
export function EncumbranceOfUrl() {
  const id = useRoute().params.id ?? '';
  const asked = useAnswer(
    ['encumbrance', id],
    () => told(v1.GET('/v1/encumbrances/{id}', { params: { path: { id: Number(id) } } })),
    { everyMs: ASK_MS },
  );
  const encumbrance = asked.data?.encumbrance;
  const [word] = encumbrance === undefined ? ['Encumbrance'] : ENCUMBRANCE_KINDS[encumbrance.kind];
  return (
    <Page
      title={`${word} ${/^\d+$/.test(id) ? countText(id) : id}`}
      lead={encumbrance === undefined ? ' ' : <Lead of={encumbrance} />}
    >
      <Answer asked={asked} rows={14} missing="There is no encumbrance of this number.">
        {(data) => <Told of={data.encumbrance} timeline={data.timeline} />}
      </Answer>
    </Page>
  );
}

function Lead({ of }: { readonly of: Encumbrance }) {
  const [word, tone] = ENCUMBRANCE_STATUS[of.status];
  return (
    <>
      <Badge tone={tone}>{word}</Badge> {ENCUMBRANCE_KINDS[of.kind][1]}
    </>
  );
}

function Told({
  of,
  timeline,
}: {
  readonly of: Encumbrance;
  readonly timeline: readonly EncumbranceTimelineEntry[];
}) {
  const { asset_id: assetId, kind_id: kindId } = of;
  const first = lockedAtFirst(timeline);
  return (
    <>
      <Section title="What is locked">
        <Facts
          rows={[
            ['Still locked', <Right key="u" assetId={assetId} kindId={kindId} value={of.units} />],
            [
              'Locked at first',
              first === undefined ? undefined : (
                <Units key="f" assetId={assetId} kindId={kindId} value={first} />
              ),
            ],
            ['Asset', <AssetLink key="a" id={assetId} />],
            ['Holder', <Address key="h" value={of.holder} whole />],
            [
              'For',
              of.beneficiary === '' ? (
                'nobody: it only holds the units in place'
              ) : (
                <Address key="b" value={of.beneficiary} whole />
              ),
            ],
            ['Income of the locked units', <Income key="i" of={of} />],
            [of.status === 'active' ? 'Until' : 'Its time was to end', <Until key="e" of={of} />],
            [
              'Evidence',
              of.evidence_hash === '' ? (
                'none'
              ) : (
                <Hash key="v" value={of.evidence_hash} what="hash of the evidence" />
              ),
            ],
          ]}
        />
      </Section>
      <Section title="What may happen now">
        <MayDo of={of} words={encumbranceWords(of.status, of.kind)} mayTake={mayExercise(of, nowMs.value)} />
      </Section>
      <Section title="What happened">
        <Timeline
          label="What happened, oldest first"
          rows={timeline.map(({ event, height, block_time, tx_hash, actor, actor_role, units }) => ({
            what: (
              <>
                {ENCUMBRANCE_EVENTS[event]}
                {units !== null && (
                  <>
                    : <Units assetId={assetId} kindId={kindId} value={units.amount} />
                  </>
                )}
              </>
            ),
            height,
            at: block_time,
            txHash: tx_hash,
            actor,
            role: actor_role,
          }))}
        />
      </Section>
    </>
  );
}

function Income({ of }: { readonly of: Encumbrance }) {
  if (of.status !== 'active') return <>goes to whoever holds the units</>;
  return of.income_to_beneficiary ? <>goes to the beneficiary meanwhile</> : <>stays with the holder</>;
}

function Until({ of }: { readonly of: Encumbrance }) {
  if (of.expiry === null) return <>it has no end of its own</>;
  if (of.status !== 'active') return <Time at={of.expiry} />;
  return (
    <>
      <Time at={of.expiry} />, then it ends by itself
    </>
  );
}
