import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ChainFacts } from '../../data/chain.ts';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import { Section } from '../../parts/page.tsx';
import { Form } from '../../sign/form.tsx';
import { KeepKey } from '../../unlock/keep-key.tsx';
import { type BurnerKey, burnerKeyOf, newBurnerKey } from '../../wallet/burner-key.ts';
import { forgetWallet, isUnreadable, takeWallet, UNREADABLE } from '../../wallet/in-use.ts';
import type { KeptWallet } from '../../wallet/kept.ts';
import { clearBurnerOf, connect } from '../../wallet/open.ts';
import { WalletError, type WalletKind } from '../../wallet/wallet.ts';
import css from './wallet.module.css';

/** The first thing that somebody without a wallet sees. */
export function ChooseWallet({ chain }: { readonly chain: ChainFacts }) {
  const [busy, setBusy] = useState<WalletKind | undefined>();
  const [error, setError] = useState('');
  const [made, setMade] = useState<KeptWallet | undefined>();
  const make = (): void => {
    const key = newBurnerKey((bytes) => void crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>));
    setMade(clearBurnerOf(key, chain));
  };
  const take = async (kind: 'keplr' | 'injected'): Promise<void> => {
    setBusy(kind);
    setError('');
    try {
      const { address, evmAddress } = await connect(kind, chain);
      await takeWallet({ kind, address, evmAddress, chainId: chain.chain_id }, undefined);
    } catch (failed) {
      setError(
        failed instanceof WalletError ? failed.message : `This browser keeps nothing: ${String(failed)}`,
      );
    } finally {
      setBusy(undefined);
    }
  };
  const isBusy = busy !== undefined;
  if (isUnreadable.value) return <Unreadable />;
  if (made !== undefined) return <KeepNewKey clear={made} onCancel={() => setMade(undefined)} />;
  return (
    <>
      <Section title="Choose a wallet">
        <div class={css.options}>
          <Option
            title="Burner wallet"
            text="A new key, made here and kept in this browser only, under a passphrase if you like. It signs everything this app offers. Clearing the browser's data loses it: use it on a testnet only."
            button="Make a burner wallet"
            main
            disabled={isBusy}
            onClick={make}
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
      <ImportKey onKey={(key) => setMade(clearBurnerOf(key, chain))} />
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

/** How a key is kept that was just made or typed. */
function KeepNewKey({ clear, onCancel }: { readonly clear: KeptWallet; onCancel(): void }) {
  return (
    <Section title="Choose a passphrase">
      <p class={css.key}>{clear.address}</p>
      <KeepKey clear={clear} instead={undefined} onKept={() => undefined} onCancel={onCancel} cancel="Back" />
    </Section>
  );
}

/** A wallet of a later version, or one that something has damaged: only its owner may erase it. */
function Unreadable() {
  const [asks, setAsks] = useState(false);
  const [error, setError] = useState('');
  const erase = (): void => {
    forgetWallet(undefined).catch((failed: unknown) => setError(String(failed)));
  };
  return (
    <Section title="A wallet that cannot be read">
      <p class={css.warn} role="alert">
        {UNREADABLE}
      </p>
      <p class={css.error} role="alert">
        {error}
      </p>
      <div class={css.buttons}>
        {asks ? (
          <>
            <Button kind="main" onClick={erase}>
              Erase it: nobody can restore it
            </Button>
            <Button onClick={() => setAsks(false)}>Keep it</Button>
          </>
        ) : (
          <Button onClick={() => setAsks(true)}>Erase it</Button>
        )}
      </div>
    </Section>
  );
}

function ImportKey({ onKey }: { onKey(key: BurnerKey): void }) {
  const [text, setText] = useState('');
  const [error, setError] = useState<string | undefined>();
  const take = (): void => {
    const key = burnerKeyOf(text);
    if (key === undefined) {
      setError('This is no private key: it has 64 digits of 0–9 and a–f.');
      return;
    }
    onKey(key);
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
          type="password"
          error={error}
          hint="64 hex digits, as a burner wallet exports them. Never type a key here that holds anything of value."
        />
      </Form>
    </Section>
  );
}
