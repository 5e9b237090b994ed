import { useState } from 'preact/hooks';
import type { ChainFacts } from '../../data/chain.ts';
import type { FieldProps } from '../../parts/field.tsx';
import { accountOf, bech32Of } from '../../wallet/address.ts';
import type { WalletAccount } from '../../wallet/wallet.ts';

/** The field of an account that something goes to. */
export function useRecipient(
  chain: ChainFacts,
  mine: Pick<WalletAccount, 'address'> | undefined,
  label = 'To',
): { readonly text: string; readonly field: FieldProps; check(): boolean } {
  const [text, setText] = useState('');
  const [error, setError] = useState<string | undefined>();
  return {
    text,
    check() {
      const account = accountOf(text, chain.hrp);
      const wrong =
        account === undefined
          ? `This is no account of this chain. It begins with ${chain.hrp}1 or 0x; check that all of it was copied.`
          : bech32Of(chain.hrp, account) === mine?.address
            ? 'This is your own account.'
            : undefined;
      setError(wrong);
      return wrong === undefined;
    },
    field: {
      label,
      value: text,
      mono: true,
      error,
      hint: `${chain.hrp}1… or 0x…`,
      onInput(value) {
        setText(value);
        setError(undefined);
      },
    },
  };
}
