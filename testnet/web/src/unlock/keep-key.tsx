import { useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { canSeal } from '../wallet/envelope.ts';
import { takeWallet } from '../wallet/in-use.ts';
import type { KeptWallet } from '../wallet/kept.ts';
import { sealedOf } from '../wallet/sealed-burner.ts';
import { passphraseError } from '../wallet/sealed-key.ts';
import { WalletError } from '../wallet/wallet.ts';
import { PassphraseForm, useOneAtATime } from './passphrase-form.tsx';

/** How a key is kept in this browser: under a passphrase, or in clear. `clear` is the burner with its key. */
export function KeepKey({
  clear,
  instead,
  onKept,
  onCancel,
  cancel,
}: {
  readonly clear: KeptWallet;
  /** Whose place it takes. */
  readonly instead: KeptWallet | undefined;
  onKept(): void;
  onCancel(): void;
  /** The text of the button that changes nothing. */
  readonly cancel: string;
}) {
  const [passphrase, setPassphrase] = useState('');
  const [again, setAgain] = useState('');
  const [errors, setErrors] = useState<{ readonly first?: string; readonly again?: string }>({});
  const [failure, setFailure] = useState('');
  const { isBusy, run } = useOneAtATime();
  const keep = (make: () => Promise<KeptWallet>): Promise<void> =>
    run(async () => {
      setFailure('');
      try {
        await takeWallet(await make(), instead);
        onKept();
      } catch (error) {
        setFailure(
          error instanceof WalletError ? error.message : `This browser keeps nothing: ${String(error)}`,
        );
      }
    });
  const seal = (): void => {
    const wrong = passphraseError(passphrase);
    const differs = passphrase === again ? undefined : 'This is another passphrase than the one above.';
    setErrors({
      ...(wrong === undefined ? {} : { first: wrong }),
      ...(differs === undefined ? {} : { again: differs }),
    });
    if (wrong === undefined && differs === undefined) void keep(() => sealedOf(clear, passphrase));
  };
  const isPossible = canSeal();
  const typed = (set: (text: string) => void) => (text: string) => {
    set(text);
    setErrors({});
  };
  return (
    <PassphraseForm
      isNew
      fields={
        isPossible
          ? [
              {
                label: 'Passphrase',
                value: passphrase,
                onInput: typed(setPassphrase),
                error: errors.first,
                hint: 'It encrypts the key in this browser. Nobody can restore it: without it, the account opens with a copy of its key alone.',
              },
              {
                label: 'The same again',
                value: again,
                onInput: typed(setAgain),
                error: errors.again,
              },
            ]
          : []
      }
      main={isPossible ? { text: isBusy ? 'Encrypting…' : 'Encrypt the key', isDisabled: isBusy } : undefined}
      onSubmit={seal}
      failure={failure}
      others={
        <>
          <Button
            disabled={isBusy}
            onClick={() => void keep(async () => ({ ...clear, isClearByChoice: true }))}
          >
            Go on without a passphrase
          </Button>
          <Button disabled={isBusy} onClick={onCancel}>
            {cancel}
          </Button>
        </>
      }
    >
      {!isPossible && (
        <p>
          This browser encrypts only on pages with HTTPS or of its own machine, so there is no passphrase
          here.
        </p>
      )}
      <p class="soft">
        Without a passphrase the key lies in this browser unencrypted. Everybody who uses the browser can use
        it, and every program that reads its files.
      </p>
    </PassphraseForm>
  );
}
