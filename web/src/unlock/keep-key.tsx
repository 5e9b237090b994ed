import { useRef, useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { canSeal } from '../wallet/envelope.ts';
import { takeWallet } from '../wallet/in-use.ts';
import type { KeptWallet } from '../wallet/kept.ts';
import { sealedOf } from '../wallet/sealed-burner.ts';
import { passphraseError } from '../wallet/sealed-key.ts';
import { WalletError } from '../wallet/wallet.ts';
import css from './unlock.module.css';

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
  const [isBusy, setBusy] = useState(false);
  const isKeeping = useRef(false);
  const keep = async (make: () => Promise<KeptWallet>): Promise<void> => {
    if (isKeeping.current) return;
    isKeeping.current = true;
    setBusy(true);
    setFailure('');
    try {
      await takeWallet(await make(), instead);
      onKept();
    } catch (error) {
      setFailure(
        error instanceof WalletError ? error.message : `This browser keeps nothing: ${String(error)}`,
      );
    } finally {
      isKeeping.current = false;
      setBusy(false);
    }
  };
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
  return (
    <form
      class={css.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isPossible) seal();
      }}
    >
      {isPossible ? (
        <>
          <Field
            label="Passphrase"
            type="password"
            autocomplete="new-password"
            value={passphrase}
            onInput={(text) => {
              setPassphrase(text);
              setErrors({});
            }}
            error={errors.first}
            hint="It encrypts the key in this browser. Nobody can restore it: without it, the account opens with a copy of its key alone."
          />
          <Field
            label="The same again"
            type="password"
            autocomplete="new-password"
            value={again}
            onInput={(text) => {
              setAgain(text);
              setErrors({});
            }}
            error={errors.again}
          />
        </>
      ) : (
        <p>
          This browser encrypts only on pages with HTTPS or of its own machine, so there is no passphrase
          here.
        </p>
      )}
      <p class="soft">
        Without a passphrase the key lies in this browser unencrypted. Everybody who uses the browser can use
        it, and every program that reads its files.
      </p>
      <p class={css.failure} role="alert">
        {failure}
      </p>
      <div class={css.buttons}>
        {isPossible && (
          <Button kind="main" type="submit" disabled={isBusy}>
            {isBusy ? 'Encrypting…' : 'Encrypt the key'}
          </Button>
        )}
        <Button
          disabled={isBusy}
          onClick={() => void keep(async () => ({ ...clear, isClearByChoice: true }))}
        >
          Go on without a passphrase
        </Button>
        <Button disabled={isBusy} onClick={onCancel}>
          {cancel}
        </Button>
      </div>
    </form>
  );
}
