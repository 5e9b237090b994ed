import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { Account } from '../../../../../clients/ts/src/client.ts';
import { useAccount } from '../../data/accounts.ts';
import { useAssetFacts, useFactsOfAssets } from '../../data/assets.ts';
import type { ChainFacts } from '../../data/chain.ts';
import { useDocumentNames } from '../../data/documents.ts';
import { Amount } from '../../parts/amount.tsx';
import { AmountField } from '../../parts/amount-field.tsx';
import { Answer, Empty, Failed } from '../../parts/answer.tsx';
import { AssetLink } from '../../parts/asset-link.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { Form } from '../../sign/form.tsx';
import { SignAndFollow } from '../../sign/sign-and-follow.tsx';
import { amountText } from '../../text/amounts.ts';
import { kindName } from '../../text/kinds.ts';
import { shorten } from '../../text/shorten.ts';
import { readSpendable } from '../../text/typed-amount.ts';
import { visibleText } from '../../text/visible.ts';
import { accountOf, bech32Of } from '../../wallet/address.ts';
import { rightTokenOf } from '../../wallet/asset-id.ts';
import { tokenTransfer } from '../../wallet/ethereum-call.ts';
import type { KeptWallet } from '../../wallet/kept.ts';
import type { Action } from '../../wallet/wallet.ts';
import { useRecipient } from './recipient.ts';

interface Props {
  readonly kept: KeptWallet;
  readonly chain: ChainFacts;
}

export function SendUnits({ kept, chain }: Props) {
  const account = useAccount(kept.address);
  return (
    <Answer asked={account} rows={6}>
      {(told) =>
        told.assets.length === 0 ? (
          <Empty>
            You hold no units of any asset yet. Buy some at the <a href="/desk">desk</a>, or{' '}
            <a href="/launch">launch an asset</a> of your own.
          </Empty>
        ) : (
          <UnitsForm kept={kept} chain={chain} account={told} />
        )
      }
    </Answer>
  );
}

/** `Orchard (75c4fe…5d4e)`: names are anybody's, ids are not. */
function useAssetNames(ids: readonly string[]): (id: string) => string {
  const facts = useFactsOfAssets(ids);
  const names = useDocumentNames([...facts.values()].map(({ metaHash }) => metaHash));
  return (id) => {
    const name = names.get(facts.get(id)?.metaHash ?? '')?.name;
    const short = shorten(id, 6, 4);
    return name === undefined ? short : `${visibleText(name)} (${short})`;
  };
}

function UnitsForm({ kept, chain, account }: Props & { readonly account: Account }) {
  const { query } = useLocation();
  const recipient = useRecipient(chain, kept);
  const positions = account.assets.flatMap(({ asset_id, kinds }) =>
    kinds.map((kind) => ({ ...kind, asset_id, value: `${asset_id}/${kind.kind_id}` })),
  );
  const asked = positions.find(({ asset_id }) => asset_id === query.asset)?.value;
  const [chosen, setChosen] = useState(asked ?? positions[0]?.value ?? '');
  const [units, setUnits] = useState('');
  const [error, setError] = useState<string | undefined>();
  const [action, setAction] = useState<Action | undefined>();
  const position = positions.find(({ value }) => value === chosen) ?? positions[0];
  const asset = useAssetFacts(position?.asset_id);
  const nameOf = useAssetNames(account.assets.map(({ asset_id }) => asset_id));
  if (action !== undefined)
    return <SignAndFollow title="Transfer units" action={action} onClose={() => setAction(undefined)} />;
  if (position === undefined) return null;
  const decimals = asset.data?.kinds[position.kind_id]?.decimals;
  const review = (): void => {
    if (decimals === undefined) return;
    const { units: read, wrong } = readSpendable(units, decimals, 'free units', position.transferable);
    const to = accountOf(recipient.text, chain.hrp);
    setError(wrong);
    if (!recipient.check() || to === undefined || read === undefined) return;
    const { asset_id, kind_id } = position;
    setAction({
      messages: [
        {
          '@type': `/${chain.namespace}.rights.v1.MsgTransfer`,
          from: kept.address,
          asset_id,
          kind_id,
          to: bech32Of(chain.hrp, to),
          units: String(read),
        },
      ],
      ethereum: tokenTransfer(rightTokenOf(chain.namespace, asset_id, kind_id), to, read),
    });
  };
  return (
    <Form button="Review" onSubmit={review} disabled={decimals === undefined}>
      <Select
        label="Units"
        value={position.value}
        onInput={setChosen}
        options={positions.map((one) => ({
          value: one.value,
          text: `${kindName(one.class, one.kind_id)} of ${nameOf(one.asset_id)}`,
        }))}
      />
      <p>
        <AssetLink id={position.asset_id} />
      </p>
      {asset.error !== undefined && <Failed error={asset.error} retry={asset.retry} />}
      <Field {...recipient.field} />
      <AmountField
        label="How many"
        value={units}
        onInput={(text) => {
          setUnits(text);
          setError(undefined);
        }}
        decimals={decimals}
        error={error}
        hint={
          asset.error !== undefined ? undefined : decimals === undefined ? (
            'Loading…'
          ) : (
            <>
              Free to move: <Amount value={position.transferable} decimals={decimals} />
              {position.encumbered !== '0' && (
                <>; locked: {amountText(position.encumbered, decimals).short}</>
              )}
              .
            </>
          )
        }
      />
    </Form>
  );
}
