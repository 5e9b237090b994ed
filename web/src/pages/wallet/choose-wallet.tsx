import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ChainFacts } from '../../data/chain.ts';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import { Section } from '../../parts/page.tsx';
import { Form } from '../../sign/form.tsx';
import { burnerKeyOf, newBurnerKey } from '../../wallet/burner-key.ts';
import { takeWallet } from '../../wallet/in-use.ts';
import { burnerOf, connect } from '../../wallet/open.ts';
import { WalletError, type WalletKind } from '../../wallet/wallet.ts';
import css from './wallet.module.css';

/** The first thing that somebody without a wallet sees. */
export function ChooseWallet({ chain }: { readonly chain: ChainFacts }) {
  const [busy, setBusy] = useState<WalletKind | undefined>();
  const [error, setError] = useState('');
  const take = async (kind: WalletKind): Promise<void> => {
    setBusy(kind);
    setError('');
    try {
      if (kind === 'burner') {
        const key = newBurnerKey((bytes) => void crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>));
        takeWallet(burnerOf(key, chain));
      } else {
        const { address, evmAddress } = await connect(kind, chain);
        takeWallet({ kind, address, evmAddress, chainId: chain.chain_id });
      }
    } catch (failed) {
      setError(
        failed instanceof WalletError ? failed.message : `This browser keeps nothing: ${String(failed)}`,
      );
    } finally {
      setBusy(undefined);
    }
  };
  const isBusy = busy !== undefined;
  return (
    <>
      <Section title="Choose a wallet">
        <div class={css.options}>
          <Option
            title="Burner wallet"
            text="A new key, made here and kept in this browser only, unencrypted. It signs everything this app offers. Whoever uses this browser can use it, and clearing its data loses it: good for a testnet, for nothing else."
            button="Make a burner wallet"
            main
            disabled={isBusy}
            onClick={() => void take('burner')}
          />
          <Option
            title="Keplr"
            text={
              <>
                The browser extension. It signs everything this app offers, once you have added the chain{' '}
                <span class={css.unbroken}>{chain.chain_id}</span> to it; the app cannot add it for you, since
                Keplr asks for a REST server that a chain like this may not have.
              </>
            }
            button="Connect Keplr"
            disabled={isBusy}
            onClick={() => void take('keplr')}
          />
          <Option
            title="Ethereum wallet"
            text="An extension such as MetaMask. It signs Ethereum transactions alone: transfers of the native coin and of units. Offers, claims and launches need one of the other two."
            button="Connect an Ethereum wallet"
            disabled={isBusy || chain.evm_chain_id === null}
            onClick={() => void take('injected')}
          />
        </div>
        <p class={css.error} role="alert">
          {error}
        </p>
        <p class="soft">
          Keplr and Ethereum wallets were tested against stand-ins of theirs only, not against the extensions
          themselves.
        </p>
      </Section>
      <ImportKey chain={chain} />
    </>
  );
}

function Option({
  title,
  text,
  button,
  onClick,
  disabled,
  main = false,
}: {
  readonly title: string;
  readonly text: ComponentChildren;
  readonly button: string;
  onClick(): void;
  readonly disabled: boolean;
  readonly main?: boolean;
}) {
  return (
    <div class={css.option}>
      <h3>{title}</h3>
      <p>{text}</p>
      <Button onClick={onClick} disabled={disabled} kind={main ? 'main' : 'plain'}>
        {button}
      </Button>
    </div>
  );
}

function ImportKey({ chain }: { readonly chain: ChainFacts }) {
  const [text, setText] = useState('');
  const [error, setError] = useState<string | undefined>();
  const take = (): void => {
    const key = burnerKeyOf(text);
    if (key === undefined) {
      setError('This is no private key: it has 64 digits of 0–9 and a–f.');
      return;
    }
    try {
      takeWallet(burnerOf(key, chain));
    } catch (failed) {
      setError(`This browser keeps nothing: ${String(failed)}`);
    }
  };
  return (
    <Section title="Bring a key">
      <Form button="Use this key" onSubmit={take} disabled={text.trim() === ''}>
        <Field
          label="Private key"
          value={text}
          onInput={(value) => {
            setText(value);
            setError(undefined);
          }}
          mono
          error={error}
          hint="64 hex digits, as a burner wallet exports them. Never type a key here that holds anything of value."
        />
      </Form>
    </Section>
  );
}
