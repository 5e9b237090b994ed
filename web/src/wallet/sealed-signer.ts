import { base64 } from '@scure/base';
import { accountOf } from './address.ts';
import type { Signer } from './burner.ts';
import { type BurnerKey, publicKeyOf } from './burner-key.ts';
import type { KeptWallet } from './kept.ts';
import { keyOfTab } from './tab-key.ts';

/** Signs with the key of this tab, and asks for the passphrase where it is locked. Undefined: its address is none. */
export function sealedSigner(kept: KeptWallet): Signer | undefined {
  const account = accountOf(kept.evmAddress, '');
  if (kept.sealed === undefined || account === undefined) return undefined;
  return {
    account,
    publicKey: publicKeyOf(base64.decode(kept.sealed.publicKey)),
    sign: async (bytes) => (keyOfTab(kept) ?? (await ask(kept))).sign(bytes),
  };
}

async function ask(kept: KeptWallet): Promise<BurnerKey> {
  const { askForPassphrase } = await import('../unlock/unlock-dialog.tsx');
  return await askForPassphrase(kept);
}
