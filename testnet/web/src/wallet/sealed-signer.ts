import { base64 } from '@scure/base';
import { accountOf } from './address.ts';
import type { Signer } from './burner.ts';
import { publicKeyOf } from './burner-key.ts';
import type { KeptWallet } from './kept.ts';
import { keyOfTab } from './tab-key.ts';
import { WalletError } from './wallet.ts';

/** Signs with the key of this tab, which must be unlocked. Undefined: the address of the wallet is none. */
export function sealedSigner(kept: KeptWallet): Signer | undefined {
  const account = accountOf(kept.evmAddress, '');
  if (kept.sealed === undefined || account === undefined) return undefined;
  return {
    account,
    publicKey: publicKeyOf(base64.decode(kept.sealed.publicKey)),
    sign(bytes) {
      const key = keyOfTab(kept);
      if (key === undefined)
        throw new WalletError('declined', 'The wallet was locked meanwhile. Nothing was signed.');
      return key.sign(bytes);
    },
  };
}
