import type { Asset, Kind } from '../../../../../clients/ts/src/client.ts';
import { Amount } from '../../parts/amount.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Hash } from '../../parts/hash.tsx';
import { Facts } from '../../parts/page.tsx';
import { countText } from '../../text/amounts.ts';
import { multiplierText, termText } from '../../text/assets.ts';
import { KIND_WORDS, kindName } from '../../text/kinds.ts';
import css from './asset.module.css';
import { PolicyText } from './policy.tsx';

/** The rights that the asset is made of, each with what it means. */
export function Kinds({ asset }: { readonly asset: Asset }) {
  return (
    <div class={css.kinds}>
      {asset.kinds.map((kind) => (
        <KindFacts key={kind.kind_id} asset={asset} kind={kind} />
      ))}
    </div>
  );
}

function KindFacts({ asset, kind }: { readonly asset: Asset; readonly kind: Kind }) {
  const name = kindName(kind.class, kind.kind_id);
  const split = multiplierText(kind.multiplier);
  return (
    <section class={css.kind} aria-label={name}>
      <h2>
        {name} {kind.bundle && <Badge>part of a whole share</Badge>}
      </h2>
      <p class="soft">{KIND_WORDS[kind.class].means}</p>
      <Facts
        rows={[
          ['Units', <Amount key="supply" value={kind.supply} decimals={kind.decimals} />],
          ...(split === undefined
            ? []
            : [
                [
                  'Shown after the split',
                  <span key="effective" class={css.two}>
                    <Amount value={kind.effective_supply.amount} decimals={kind.decimals} />
                    <span class={css.note}>{split}</span>
                  </span>,
                ] as const,
              ]),
          ['Decimals', kind.decimals],
          [
            'Holders',
            <a key="holders" href={`/asset/${asset.id}?tab=holders&kind=${kind.kind_id}`}>
              {countText(kind.holder_count)}
            </a>,
          ],
          [
            'Who may hold it',
            <PolicyText key="policy" policy={kind.effective_policy} source={kind.policy_source} />,
          ],
          [
            'Transferable',
            kind.transferable
              ? 'Yes, within its policy.'
              : 'No: holders cannot give it away, whatever its policy says.',
          ],
          [
            'Term',
            termText(kind.term) === undefined
              ? 'None: the right always holds.'
              : `The right holds ${termText(kind.term)}.`,
          ],
          [
            'Bridges',
            kind.bridgeable
              ? 'Its issuer lets it out to other chains, while its policy is open.'
              : 'It cannot leave this chain.',
          ],
          ['Token address', <Hash key="token" value={kind.tok20_address} what="token address" />],
        ]}
      />
    </section>
  );
}
