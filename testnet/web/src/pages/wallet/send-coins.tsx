import { useState } from 'preact/hooks';
import { useBalances } from '../../data/balances.ts';
import { type ChainFacts, denomText } from '../../data/chain.ts';
import { Field } from '../../parts/field.tsx';
import { CoinFields } from '../../sign/coin-fields.tsx';
import { Form } from '../../sign/form.tsx';
import { SignAndFollow } from '../../sign/sign-and-follow.tsx';
import { readSpendable } from '../../text/typed-amount.ts';
import { accountOf, bech32Of } from '../../wallet/address.ts';
import { nativeTransfer } from '../../wallet/ethereum-call.ts';
import type { KeptWallet } from '../../wallet/kept.ts';
import type { Action } from '../../wallet/wallet.ts';
import { useRecipient } from './recipient.ts';

export function SendCoins({ kept, chain }: { readonly kept: KeptWallet; readonly chain: ChainFacts }) {
  const recipient = useRecipient(chain, kept);
  const [amount, setAmount] = useState('');
  const [denom, setDenom] = useState(kept.kind === 'injected' ? chain.gas_denom : chain.stable_denom);
  const [error, setError] = useState<string | undefined>();
  const [action, setAction] = useState<Action | undefined>();
  const { data: balances = [] } = useBalances(chain, kept.address);
  const { symbol, decimals } = denomText(chain, denom);
  const held = balances.find((coin) => coin.denom === denom)?.amount;
  const denoms =
    balances.length === 0 ? [chain.gas_denom, chain.stable_denom] : balances.map((coin) => coin.denom);

  if (action !== undefined)
    return <SignAndFollow title="Send coins" action={action} onClose={() => setAction(undefined)} />;
  const review = (): void => {
    const { units, wrong } = readSpendable(amount, decimals, symbol, held);
    const to = accountOf(recipient.text, chain.hrp);
    setError(wrong);
    if (!recipient.check() || to === undefined || units === undefined) return;
    setAction({
      messages: [
        {
          '@type': '/cosmos.bank.v1beta1.MsgSend',
          from_address: kept.address,
          to_address: bech32Of(chain.hrp, to),
          amount: [{ denom, amount: String(units) }],
        },
      ],
      ...(denom === chain.gas_denom ? { ethereum: nativeTransfer(to, units) } : {}),
    });
  };
  return (
    <Form button="Review" onSubmit={review}>
      <Field {...recipient.field} />
      <CoinFields
        {...{ chain, denoms, denom, amount, error, held }}
        onDenom={setDenom}
        onAmount={(text) => {
          setAmount(text);
          setError(undefined);
        }}
      />
    </Form>
  );
}
