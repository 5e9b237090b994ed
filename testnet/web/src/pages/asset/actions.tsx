import { useState } from 'preact/hooks';
import type { Asset } from '../../../../../clients/ts/src/client.ts';
import { useAccount } from '../../data/accounts.ts';
import { useBalances } from '../../data/balances.ts';
import { type ChainFacts, denomText, useChain } from '../../data/chain.ts';
import { Amount, Coin } from '../../parts/amount.tsx';
import { Answer, Empty } from '../../parts/answer.tsx';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Select } from '../../parts/field.tsx';
import { Facts, Section } from '../../parts/page.tsx';
import { CoinFields } from '../../sign/coin-fields.tsx';
import { Form } from '../../sign/form.tsx';
import { claimMessage } from '../../sign/messages.ts';
import { SignAndFollow } from '../../sign/sign-and-follow.tsx';
import { WalletNeeded } from '../../sign/wallet-needed.tsx';
import { kindName } from '../../text/kinds.ts';
import { readSpendable } from '../../text/typed-amount.ts';
import { wallet } from '../../wallet/in-use.ts';
import type { KeptWallet } from '../../wallet/kept.ts';
import type { Action } from '../../wallet/wallet.ts';
import css from './asset.module.css';

/** In one tx: what a page can simulate is bounded. */
const CLAIMS_AT_ONCE = 10;

interface Props {
  readonly asset: Asset;
  readonly kept: KeptWallet;
  readonly chain: ChainFacts;
}

/** What the wallet of this browser may do with the asset. */
export function AssetActions({ asset }: { readonly asset: Asset }) {
  const chain = useChain();
  const kept = wallet.value;
  if (kept === undefined) return <WalletNeeded what="To do something with this asset" />;
  return (
    <Answer asked={chain} rows={6}>
      {(facts) => (
        <>
          <Mine asset={asset} kept={kept} chain={facts} />
          <Section title="Pay income to the holders">
            {asset.status === 'ASSET_STATUS_ACTIVE' ? (
              <Distribute asset={asset} kept={kept} chain={facts} />
            ) : (
              <Empty>The asset is wound up: nobody can pay income to it any more.</Empty>
            )}
          </Section>
        </>
      )}
    </Answer>
  );
}

function Mine({ asset, kept, chain }: Props) {
  const account = useAccount(kept.address);
  const [action, setAction] = useState<Action | undefined>();
  if (action !== undefined)
    return <SignAndFollow title="Claim income" action={action} onClose={() => setAction(undefined)} />;
  return (
    <Section title="What you hold">
      <Answer asked={account} rows={3}>
        {({ assets, claimable }) => {
          const held = assets.find(({ asset_id }) => asset_id === asset.id)?.kinds ?? [];
          const due = claimable.filter(({ asset_id }) => asset_id === asset.id).slice(0, CLAIMS_AT_ONCE);
          return (
            <>
              {held.length === 0 ? (
                <Empty>
                  No units. What the <a href="/desk">desk</a> trades can be bought there.
                </Empty>
              ) : (
                <>
                  <Facts
                    rows={held.map(({ class: kindClass, kind_id, units }) => [
                      kindName(kindClass, kind_id),
                      <Amount key={kind_id} value={units} decimals={asset.kinds[kind_id]?.decimals ?? 0} />,
                    ])}
                  />
                  <p>
                    <ButtonLink href={`/wallet?do=units&asset=${asset.id}`}>Transfer units</ButtonLink>
                  </p>
                </>
              )}
              {due.length > 0 && (
                <p class={css.list}>
                  <span>You may claim</span>
                  {due.map(({ kind_id, denom, ref, total }) => (
                    <Coin key={`${kind_id}/${denom}/${ref}`} amount={total} denom={denom} />
                  ))}
                  <Button
                    kind="main"
                    onClick={() =>
                      setAction({
                        messages: due.map((entry) => claimMessage(chain.namespace, kept.address, entry)),
                      })
                    }
                  >
                    Claim income
                  </Button>
                </p>
              )}
            </>
          );
        }}
      </Answer>
    </Section>
  );
}

function Distribute({ asset, kept, chain }: Props) {
  const first = asset.kinds.find((kind) => kind.class === 'INCOME') ?? asset.kinds[0];
  const denoms = [...new Set([asset.settlement_denom, ...asset.distribution_denoms])];
  const [kindId, setKindId] = useState(String(first?.kind_id ?? 0));
  const [denom, setDenom] = useState(denoms[0] ?? '');
  const [amount, setAmount] = useState('');
  const [error, setError] = useState<string | undefined>();
  const [action, setAction] = useState<Action | undefined>();
  const { data: balances = [] } = useBalances(chain, kept.address);
  const { symbol, decimals } = denomText(chain, denom);
  const held = balances.find((coin) => coin.denom === denom)?.amount;
  if (action !== undefined)
    return <SignAndFollow title="Pay income" action={action} onClose={() => setAction(undefined)} />;
  const review = (): void => {
    const { units, wrong } = readSpendable(amount, decimals, symbol, held);
    setError(wrong);
    if (units === undefined) return;
    setAction({
      messages: [
        {
          '@type': `/${chain.namespace}.payout.v1.MsgDistribute`,
          payer: kept.address,
          asset_id: asset.id,
          kind_id: Number(kindId),
          amount: { denom, amount: String(units) },
        },
      ],
    });
  };
  return (
    <>
      <p>
        Anybody may. The holders of the kind at that moment each get their part by their units, and claim it
        when they like.
      </p>
      <Form button="Review" onSubmit={review}>
        <Select
          label="To the holders of"
          value={kindId}
          onInput={setKindId}
          options={asset.kinds.map((kind) => ({
            value: String(kind.kind_id),
            text: kindName(kind.class, kind.kind_id),
          }))}
        />
        <CoinFields
          {...{ chain, denoms, denom, amount, error, held }}
          onDenom={setDenom}
          onAmount={(text) => {
            setAmount(text);
            setError(undefined);
          }}
        />
      </Form>
    </>
  );
}
