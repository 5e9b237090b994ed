import { bech32Of, evmAddressOf } from './address.ts';
import type { BurnerKey } from './burner-key.ts';
import type { ChainTypes } from './chain-types.ts';
import { signDocumentBytes } from './tx.ts';
import type { DocumentWallet } from './wallet.ts';

/** The wallet of a key that is kept here. */
export function burnerWallet(types: ChainTypes, key: BurnerKey, hrp: string): DocumentWallet {
  return {
    kind: 'burner',
    signs: 'documents',
    address: bech32Of(hrp, key.account),
    evmAddress: evmAddressOf(key.account),
    publicKey: key.publicKey,
    sign: async (document) => ({
      bodyBytes: document.bodyBytes,
      authInfoBytes: document.authInfoBytes,
      signature: key.sign(signDocumentBytes(types, document)),
    }),
  };
}
