import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import type { BurnerKey } from '../wallet/burner-key.ts';
import type { KeptWallet } from '../wallet/kept.ts';
import { unsealed } from '../wallet/sealed-burner.ts';
import { PassphraseForm, useOneAtATime } from './passphrase-form.tsx';

/** Asks for the passphrase of a wallet that is kept here, and hands on the key that it opens. */
export function OpenKey({
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
  const { isBusy, run } = useOneAtATime();
  // an answer that comes after Cancel opens nothing
  const isGone = useRef(false);
  useEffect(
    () => () => {
      isGone.current = true;
    },
    [],
  );
  const open = async (): Promise<void> => {
    setError(undefined);
    try {
      const key = await unsealed(kept, passphrase);
      if (isGone.current) return;
      if (key === undefined)
        setError('This passphrase does not open the key. Check capitals and the keyboard.');
      else onOpened(key);
    } catch (failed) {
      setError(`The key cannot be opened here: ${failed instanceof Error ? failed.message : String(failed)}`);
    }
  };
  return (
    <PassphraseForm
      fields={[
        {
          label: 'Passphrase',
          value: passphrase,
          onInput(text) {
            setPassphrase(text);
            setError(undefined);
          },
          error,
          hint: 'Forgotten? Nobody can restore it. The account opens again with a copy of its key alone.',
        },
      ]}
      main={{ text: isBusy ? 'Opening…' : button, isDisabled: isBusy || passphrase === '' }}
      onSubmit={() => void run(open)}
      others={<Button onClick={onCancel}>Cancel</Button>}
    />
  );
}
