import { useState } from 'preact/hooks';
import { useBalances } from '../data/balances.ts';
import { type ChainFacts, denomText, useChain } from '../data/chain.ts';
import { Coin } from '../parts/amount.tsx';
import { Answer } from '../parts/answer.tsx';
import { Field } from '../parts/field.tsx';
import { Facts, Page, Section } from '../parts/page.tsx';
import { FaucetButton } from '../sign/faucet-button.tsx';
import { accountOf, bech32Of } from '../wallet/address.ts';
import { wallet } from '../wallet/in-use.ts';

/** Coins for whoever asks. */
export function Faucet() {
  const chain = useChain();
  return (
    <Page
      title="Faucet"
      lead="Coins of this testnet for anybody. They pay fees and can be traded here, and have no value."
    >
      <Answer asked={chain} rows={8}>
        {(facts) => <FaucetForm chain={facts} />}
      </Answer>
    </Page>
  );
}

function FaucetForm({ chain }: { readonly chain: ChainFacts }) {
  const [typed, setTyped] = useState<string | undefined>();
  const text = typed ?? wallet.value?.address ?? '';
  const account = accountOf(text, chain.hrp);
  const address = account === undefined ? undefined : bech32Of(chain.hrp, account);
  return (
    <>
      <Section title="Who is to be paid">
        <Field
          label="Account"
          value={text}
          onInput={setTyped}
          mono
          error={
            text !== '' && account === undefined
              ? `This is no account of this chain. It begins with ${chain.hrp}1 or 0x; check that all of it was copied.`
              : undefined
          }
          hint={
            address !== undefined && address === wallet.value?.address
              ? 'The wallet of this browser.'
              : `${chain.hrp}1… or 0x…`
          }
        />
        <FaucetButton address={address ?? ''} />
        {address === undefined ? null : <Held chain={chain} address={address} />}
      </Section>
      <Section title="What it gives">
        <p>
          1 {chain.gas_symbol} for fees and 100 {chain.stable_symbol} to trade with, each time. An account may
          ask 5 times in 10 minutes, everybody behind one internet connection 20 times.
        </p>
      </Section>
    </>
  );
}

function Held({ chain, address }: { readonly chain: ChainFacts; readonly address: string }) {
  const balances = useBalances(chain, address);
  return (
    <Answer asked={balances} rows={2}>
      {(coins) => (
        <Facts
          rows={coins.map(({ denom, amount }) => [
            `${denomText(chain, denom).symbol} of this account`,
            <Coin key={denom} amount={amount} denom={denom} />,
          ])}
        />
      )}
    </Answer>
  );
}
