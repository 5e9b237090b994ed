import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { Copy } from '../../parts/copy.tsx';
import { Select } from '../../parts/field.tsx';
import { Section } from '../../parts/page.tsx';
import { KeepKey } from '../../unlock/keep-key.tsx';
import { OpenKey } from '../../unlock/open-key.tsx';
import { forgetWallet, hiddenWallet } from '../../wallet/in-use.ts';
import type { KeptWallet } from '../../wallet/kept.ts';
import { chooseIdle, IDLE_CHOICES, idleMinutes, isUnlocked, lockTabs } from '../../wallet/tab-key.ts';
import { WALLET_NAMES, WalletError } from '../../wallet/wallet.ts';
import css from './wallet.module.css';

/** How long an exported key stays on the screen. */
const SHOWN_MS = 60_000;

/** The key, to take elsewhere, and the end of it here. */
export function WalletItself({ kept }: { readonly kept: KeptWallet }) {
  if (kept.kind !== 'burner')
    return (
      <Section title="The connection">
        <p>
          The key stays in {WALLET_NAMES[kept.kind]}. This browser remembers the address only. Tested against
          a stand-in of it, not against the extension itself.
        </p>
        <Forget
          kept={kept}
          button="Disconnect"
          warning="This page forgets the address. The account stays in the extension."
          confirm="Disconnect"
        />
      </Section>
    );
  return (
    <Section title="The key">
      {kept.sealed === undefined ? <ClearKey kept={kept} /> : <SealedKeyState kept={kept} />}
      <Export key={kept.address} kept={kept} />
      <Forget
        kept={kept}
        button="Forget this wallet"
        warning="This erases the key here. If you have no copy of it, nobody can ever use this account again."
        confirm="Erase the key"
      />
    </Section>
  );
}

function SealedKeyState({ kept }: { readonly kept: KeptWallet }) {
  const hidden = hiddenWallet.value;
  return (
    <>
      <p>
        The key lies in this browser alone, encrypted under your passphrase. Export a copy: nobody can restore
        a forgotten passphrase, and clearing the data of this browser erases the key.
      </p>
      <Select
        label="Lock it when nobody has used these pages for"
        value={String(idleMinutes.value)}
        onInput={(value) => chooseIdle(Number(value))}
        options={IDLE_CHOICES.map((minutes) => ({ value: String(minutes), text: `${minutes} minutes` }))}
      />
      <p role="status">
        {isUnlocked.value
          ? 'It is unlocked in this tab: it signs without asking for the passphrase.'
          : 'It is locked: signing asks for the passphrase.'}
      </p>
      {isUnlocked.value && (
        <div>
          <Button onClick={lockTabs}>Lock it now</Button>
        </div>
      )}
      {hidden !== undefined && (
        <p class={css.warn} role="status">
          {hidden.address === kept.address
            ? 'A tab with an older version of these pages keeps this wallet a second time, perhaps unencrypted. Unlock the wallet by a signature: that erases an unencrypted copy.'
            : `A tab with an older version of these pages has made another wallet, ${hidden.address}. This browser keeps both. Export the key of this one and forget it: then the other one shows here.`}
        </p>
      )}
    </>
  );
}

function ClearKey({ kept }: { readonly kept: KeptWallet }) {
  const [chooses, setChooses] = useState(false);
  return (
    <>
      <p class={css.warn}>
        The key lies in this browser alone, unencrypted: everybody who uses the browser can use it, and every
        program that reads its files. Export a copy: clearing the data of this browser erases it.
      </p>
      {chooses ? (
        <KeepKey
          clear={kept}
          instead={kept}
          onKept={() => setChooses(false)}
          onCancel={() => setChooses(false)}
          cancel="Back"
        />
      ) : (
        <div>
          <Button onClick={() => setChooses(true)}>Set a passphrase</Button>
        </div>
      )}
    </>
  );
}

/** An unlocked tab is not enough: who finds one open must not walk away with the key. */
function Export({ kept }: { readonly kept: KeptWallet }) {
  const [asks, setAsks] = useState(false);
  const [shown, setShown] = useState<string | undefined>();
  useEffect(() => {
    if (shown === undefined) return;
    const timer = setTimeout(() => setShown(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  if (shown !== undefined)
    return (
      <>
        <p class={css.key}>
          <span class="mono">{shown}</span>
          <Copy text={shown} what="private key" />
        </p>
        <div>
          <Button onClick={() => setShown(undefined)}>Hide the key</Button>
        </div>
      </>
    );
  if (asks)
    return (
      <OpenKey
        kept={kept}
        button="Show the key"
        onOpened={({ privateKey }) => {
          setAsks(false);
          setShown(privateKey);
        }}
        onCancel={() => setAsks(false)}
      />
    );
  return (
    <div>
      <Button onClick={() => (kept.sealed === undefined ? setShown(kept.privateKey) : setAsks(true))}>
        Export the key
      </Button>
    </div>
  );
}

function Forget({
  kept,
  button,
  warning,
  confirm,
}: {
  readonly kept: KeptWallet;
  readonly button: string;
  readonly warning: string;
  readonly confirm: string;
}) {
  const [asks, setAsks] = useState(false);
  const [error, setError] = useState('');
  const forget = (): void => {
    forgetWallet(kept).catch((failed: unknown) => {
      setError(failed instanceof WalletError ? failed.message : String(failed));
      setAsks(false);
    });
  };
  return (
    <>
      <p class={css.error} role="alert">
        {error}
      </p>
      {asks && (
        <p class={css.warn} role="alert">
          {warning}
        </p>
      )}
      <div class={css.buttons}>
        {asks ? (
          <>
            <Button kind="main" onClick={forget}>
              {confirm}
            </Button>
            <Button onClick={() => setAsks(false)}>Keep it</Button>
          </>
        ) : (
          <Button onClick={() => setAsks(true)}>{button}</Button>
        )}
      </div>
    </>
  );
}
