import { useMemo } from 'preact/hooks';
import type { Settlement } from '../../../../../clients/ts/src/client.ts';
import { useAnswer } from '../../data/answers.ts';
import type { ChainFacts } from '../../data/chain.ts';
import { told, v1 } from '../../data/client.ts';
import { useDeal } from '../../data/deals.ts';
import { nowMs } from '../../data/live.ts';
import { isThere } from '../../data/lookup.ts';
import { Answer } from '../../parts/answer.tsx';
import { Badge } from '../../parts/badge.tsx';
import { ButtonLink } from '../../parts/button.tsx';
import { Facts } from '../../parts/page.tsx';
import { Things } from '../../parts/things.tsx';
import { acceptMessage } from '../../sign/messages.ts';
import { SignAndFollow } from '../../sign/sign-and-follow.tsx';
import { durationText } from '../../text/times.ts';
import type { KeptWallet } from '../../wallet/kept.ts';
import css from './desk.module.css';
import type { DeskFacts } from './quotes.ts';

const ASK_MS = 1_000;

/** What the desk has proposed, as the chain has it: the request is not believed, nor is the desk's answer. */
export function ProposalPanel({
  id,
  kept,
  chain,
  desk,
  onClose,
}: {
  readonly id: number;
  readonly kept: KeptWallet;
  readonly chain: ChainFacts;
  readonly desk: DeskFacts;
  onClose(): void;
}) {
  // the indexer may be a block behind the desk
  const asked = useAnswer(
    ['proposal', id],
    async () => {
      if (!(await isThere('settlement', String(id)))) return null;
      return (await told(v1.GET('/v1/settlements/{id}', { params: { path: { id } } }))).settlement;
    },
    { everyMs: ASK_MS },
  );
  return (
    <Answer asked={asked} rows={6}>
      {(settlement) =>
        settlement === null ? (
          <p class="soft">The proposal is on the chain; the indexer is about to read it…</p>
        ) : (
          <Proposed settlement={settlement} kept={kept} chain={chain} desk={desk} onClose={onClose} />
        )
      }
    </Answer>
  );
}

function Proposed({
  settlement,
  kept,
  chain,
  desk,
  onClose,
}: {
  readonly settlement: Settlement;
  readonly kept: KeptWallet;
  readonly chain: ChainFacts;
  readonly desk: DeskFacts;
  onClose(): void;
}) {
  const { id, proposer, counterparty, expiry, status, legs } = settlement;
  const { gives, gets } = useDeal(legs);
  const action = useMemo(
    () => ({ messages: [acceptMessage(chain.namespace, kept.address, id)] }),
    [chain.namespace, kept.address, id],
  );
  const seconds = Math.floor((Date.parse(expiry) - nowMs.value) / 1_000);
  if (proposer !== desk.address || counterparty !== kept.address) {
    return <p role="alert">This is no proposal of the desk to you. Look at it among the settlements.</p>;
  }
  const assetId = legs.flatMap((leg) => ('right' in leg ? [leg.right.asset_id] : []))[0];
  return (
    <div class={css.proposal}>
      <Facts
        rows={[
          ['You get', <Things key="get" things={gives} exact />],
          ['You give', <Things key="give" things={gets} exact />],
          [
            'Settlement',
            <a key="id" href={`/settlement/${id}`}>
              {id}
            </a>,
          ],
          [
            'Time left',
            status === 'STATUS_SETTLED' ? (
              <Badge key="left" tone="good">
                Settled
              </Badge>
            ) : seconds > 0 ? (
              durationText(seconds)
            ) : (
              <Badge key="left" tone="warn">
                Expired
              </Badge>
            ),
          ],
        ]}
      />
      {status !== 'STATUS_SETTLED' && (seconds <= 0 || status !== 'STATUS_PENDING') ? (
        <p>
          The proposal is over, and what was locked for it is free again.{' '}
          <button type="button" class={css.link} onClick={onClose}>
            Ask for a new one
          </button>
          .
        </p>
      ) : (
        <SignAndFollow
          title="Accept the trade"
          action={action}
          onClose={onClose}
          more={
            <p>
              You give <Things things={gets} exact /> and get <Things things={gives} exact />.
            </p>
          }
          next={
            <div class={css.next}>
              <p>
                It is yours. <a href="/wallet?do=units">Your units</a> and your{' '}
                <a href={`/account/${kept.address}`}>account</a> show it.
              </p>
              {assetId !== undefined && (
                <ButtonLink href={`/asset/${assetId}`}>Open the asset's page</ButtonLink>
              )}
            </div>
          }
        />
      )}
    </div>
  );
}
