import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import type { BurnerKey } from '../wallet/burner-key.ts';
import type { KeptWallet } from '../wallet/kept.ts';
import { unsealed } from '../wallet/sealed-burner.ts';
import css from './unlock.module.css';

/** Asks for the passphrase of a wallet that is kept here, and hands on the key that it opens. */
export function PassphraseForm({
  kept,
  button,
  onOpened,
  onCancel,
}: {
  readonly kept: KeptWallet;
  readonly button: string;
  onOpened(key: BurnerKey): void;
  onCancel(): void;
}) {
  const [passphrase, setPassphrase] = useState('');
  const [error, setError] = useState<string | undefined>();
  const [isBusy, setBusy] = useState(false);
  // enter comes faster than a page is drawn
  const isOpening = useRef(false);
  // an answer that comes after Cancel opens nothing
  const isGone = useRef(false);
  useEffect(
    () => () => {
      isGone.current = true;
    },
    [],
  );
  const open = async (): Promise<void> => {
    if (isOpening.current) return;
    isOpening.current = true;
    setBusy(true);
    setError(undefined);
    try {
      const key = await unsealed(kept, passphrase);
      if (isGone.current) return;
      if (key === undefined)
        setError('This passphrase does not open the key. Check capitals and the keyboard.');
      else onOpened(key);
    } catch (failed) {
      setError(`The key cannot be opened here: ${failed instanceof Error ? failed.message : String(failed)}`);
    } finally {
      isOpening.current = false;
      setBusy(false);
    }
  };
  return (
    <form
      class={css.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void open();
      }}
    >
      <Field
        label="Passphrase"
        type="password"
        autocomplete="current-password"
        value={passphrase}
        onInput={(text) => {
          setPassphrase(text);
          setError(undefined);
        }}
        error={error}
        hint="Forgotten? Nobody can restore it. The account opens again with a copy of its key alone."
      />
      <div class={css.buttons}>
        <Button kind="main" type="submit" disabled={isBusy || passphrase === ''}>
          {isBusy ? 'Opening…' : button}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  );
}
