import { Fragment } from 'preact';
import { useRoute } from 'preact-iso';
import type { Delegation } from '../../../../clients/ts/src/client.ts';
import { useAnswer } from '../data/answers.ts';
import { told, v1 } from '../data/client.ts';
import { Address } from '../parts/address.tsx';
import { Answer } from '../parts/answer.tsx';
import { AssetLink } from '../parts/asset-link.tsx';
import { Badge } from '../parts/badge.tsx';
import { Facts, Page, Section } from '../parts/page.tsx';
import { Time } from '../parts/time.tsx';
import { ByTx } from '../parts/tx-or-block.tsx';
import { Right } from '../parts/units.tsx';
import { countText } from '../text/amounts.ts';
import { delegationStatus, purposesText } from '../text/delegations.ts';

const ASK_MS = 5_000;

/** One delegation: what is lent, to whom, for what, and until when. */
export function DelegationOfUrl() {
  const id = useRoute().params.id ?? '';
  const asked = useAnswer(
    ['delegation', id],
    async () =>
      (await told(v1.GET('/v1/delegations/{id}', { params: { path: { id: Number(id) } } }))).delegation,
    { everyMs: ASK_MS },
  );
  return (
    <Page
      title={`Delegation ${/^\d+$/.test(id) ? countText(id) : id}`}
      lead={asked.data === undefined ? ' ' : <Lead of={asked.data} />}
    >
      <Answer asked={asked} rows={9} missing="There is no delegation of this number.">
        {(data) => <Told of={data} />}
      </Answer>
    </Page>
  );
}

function Lead({ of }: { readonly of: Delegation }) {
  const { word, tone } = delegationStatus(of.ended);
  return (
    <>
      <Badge tone={tone}>{word}</Badge> The holder lends what its units are good for and keeps the units,
      which stay locked meanwhile.
    </>
  );
}

function Told({ of }: { readonly of: Delegation }) {
  return (
    <Section title="What is lent">
      <Facts
        rows={[
          ['Units', <Right key="units" assetId={of.asset_id} kindId={of.kind_id} value={of.units} />],
          ['For', purposesText(of.purposes)],
          ['Asset', <AssetLink key="asset" id={of.asset_id} />],
          ['Holder', <Address key="holder" value={of.holder} whole />],
          ['Lent to', <Address key="delegate" value={of.delegate} whole />],
          [
            of.ended === '' ? 'Until' : 'Its time was to end',
            <span key="until">
              <Time at={of.until} />
              {of.ended === '' && ', then it ends by itself'}
            </span>,
          ],
          [
            'Taken back early',
            of.revocable
              ? 'The holder may take it back at any time; who has it may give it back.'
              : 'The holder cannot take it back; who has it may give it back.',
          ],
          [
            'Lent in',
            <Fragment key="created">
              block <a href={`/block/${of.created_height}`}>{countText(of.created_height)}</a>
              <ByTx hash={of.created_tx_hash} />
            </Fragment>,
          ],
          [
            'Ended in',
            of.ended_height === null ? undefined : (
              <Fragment key="ended">
                block <a href={`/block/${of.ended_height}`}>{countText(of.ended_height)}</a>
              </Fragment>
            ),
          ],
        ]}
      />
    </Section>
  );
}
