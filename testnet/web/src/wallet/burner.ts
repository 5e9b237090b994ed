import { signDocBytes } from 'strata-kit/client/sign-direct';
import { bech32Of, evmAddressOf } from './address.ts';
import type { Message } from './json.ts';
import type { DocumentWallet } from './wallet.ts';

/** What signs for an account; it may ask for a passphrase first. */
export interface Signer {
  /** 20 bytes. */
  readonly account: Uint8Array;
  /** As an Any. */
  readonly publicKey: Message;
  /** 64 bytes, of the bytes that a tx is signed over. Errors: WalletError. */
  sign(bytes: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

/** The wallet of a key that is kept here. */
export function burnerWallet(key: Signer, hrp: string): DocumentWallet {
  return {
    kind: 'burner',
    signs: 'documents',
    address: bech32Of(hrp, key.account),
    evmAddress: evmAddressOf(key.account),
    publicKey: key.publicKey,
    sign: async (document) => ({
      bodyBytes: document.bodyBytes,
      authInfoBytes: document.authInfoBytes,
      signature: await key.sign(signDocBytes(document, document.chainId, document.accountNumber)),
    }),
  };
}
