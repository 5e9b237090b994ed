import { base64, hex } from '@scure/base';
import { evmAddressOf } from './address.ts';
import { type BurnerKey, burnerKeyOf } from './burner-key.ts';
import type { KeptWallet } from './kept.ts';
import { openKey, sealKey } from './sealed-key.ts';
import { WalletError } from './wallet.ts';

/** What is kept of a burner whose key lies in clear, once it has a passphrase. Errors: as of sealKey, WalletError. */
export async function sealedOf(clear: KeptWallet, passphrase: string): Promise<KeptWallet> {
  const { kind, address, evmAddress, chainId } = clear;
  const key = burnerKeyOf(clear.privateKey ?? '');
  if (key === undefined) throw new WalletError('failed', 'The key that is kept here cannot be read.');
  if (evmAddressOf(key.account) !== evmAddress)
    throw new WalletError('failed', 'The key that is kept here is not that of its address.');
  const header = { address, evmAddress, chainId };
  const publicKey = base64.decode(String(key.publicKey.key));
  const sealed = await sealKey(hex.decode(key.privateKey), publicKey, header, passphrase);
  return { kind, ...header, sealed };
}

/** The key of a burner; undefined where the passphrase does not open it. Errors: WalletError. */
export async function unsealed(kept: KeptWallet, passphrase: string): Promise<BurnerKey | undefined> {
  if (kept.sealed === undefined) throw new WalletError('failed', 'This wallet has no passphrase.');
  const secret = await openKey(kept.sealed, kept, passphrase);
  return secret === undefined ? undefined : burnerKeyOf(hex.encode(secret));
}
