import { Fragment } from 'preact';
import type { Asset } from '../../../../../clients/ts/src/client.ts';
import { denomText, useChain } from '../../data/chain.ts';
import { useDocument } from '../../data/documents.ts';
import { Address } from '../../parts/address.tsx';
import { Hash } from '../../parts/hash.tsx';
import { Facts, Section } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { Together } from '../../parts/together.tsx';
import { ByTx } from '../../parts/tx-or-block.tsx';
import { countText } from '../../text/amounts.ts';
import { issuanceText, liensText } from '../../text/assets.ts';
import { WHOLE_SHARE_MEANS } from '../../text/kinds.ts';
import { visibleText } from '../../text/visible.ts';
import css from './asset.module.css';
import { Document } from './document.tsx';
import { PolicyText } from './policy.tsx';

/** What the asset says of itself, and what the chain says of it. */
export function AssetOverview({ asset }: { readonly asset: Asset }) {
  const { data: chain } = useChain();
  const symbolOf = (denom: string) => visibleText(denomText(chain, denom).symbol);
  const { roles } = asset;
  const document = useDocument(asset.meta_hash);
  return (
    <Together asked={[document]} rows={14}>
      <Document metaHash={asset.meta_hash} />
      <Section title="On the chain">
        <Facts
          rows={[
            ['Issuer', <Address key="issuer" value={asset.issuer} whole />],
            [
              'Created',
              <Fragment key="created">
                <Time at={asset.created_at} />, in block{' '}
                <a href={`/block/${asset.created_height}`}>{countText(asset.created_height)}</a>
                <ByTx hash={asset.created_tx_hash} />
              </Fragment>,
            ],
            ['Issuance', issuanceText(asset.issuance_locked)],
            ['Who may hold it', <PolicyText key="policy" policy={asset.policy} />],
            ['Traded and settled in', symbolOf(asset.settlement_denom)],
            [
              'May pay out',
              [...new Set([asset.settlement_denom, ...asset.distribution_denoms])].map(symbolOf).join(', '),
            ],
            [
              'Operator',
              <Role
                key="operator"
                value={roles.operator}
                means="may begin to wind the asset up, and lay liens where they are allowed"
              />,
            ],
            [
              'Releaser',
              <Role
                key="releaser"
                value={roles.releaser}
                means="may release locked units in a beneficiary's place"
              />,
            ],
            ['Liens', liensText(asset)],
            [
              'Token of a whole share',
              <span key="bundle" class={css.two}>
                <Hash value={asset.bundle_address} what="token address" whole />
                <span class={css.note}>{WHOLE_SHARE_MEANS}</span>
              </span>,
            ],
            [
              'Last changed',
              <Fragment key="updated">
                in block <a href={`/block/${asset.updated_height}`}>{countText(asset.updated_height)}</a>
              </Fragment>,
            ],
          ]}
        />
      </Section>
    </Together>
  );
}

function Role({ value, means }: { readonly value: string; readonly means: string }) {
  return (
    <span class={css.two}>
      {value === '' ? 'nobody' : <Address value={value} />}
      <span class={css.note}>{means}</span>
    </span>
  );
}
