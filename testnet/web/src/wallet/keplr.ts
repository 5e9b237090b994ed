import { base64 } from '@scure/base';
import { bech32Of, evmAddressOf } from './address.ts';
import { type DocumentWallet, WalletError } from './wallet.ts';

/** As much of `window.keplr` as is used here. */
export interface KeplrProvider {
  enable(chainId: string): Promise<void>;
  getKey(chainId: string): Promise<KeplrKey>;
  signDirect(
    chainId: string,
    signer: string,
    document: {
      readonly bodyBytes: Uint8Array;
      readonly authInfoBytes: Uint8Array;
      readonly chainId: string;
      readonly accountNumber: bigint;
    },
    options: { readonly preferNoSetFee: boolean; readonly preferNoSetMemo: boolean },
  ): Promise<{
    readonly signed: { readonly bodyBytes: Uint8Array; readonly authInfoBytes: Uint8Array };
    readonly signature: { readonly signature: string };
  }>;
}

interface KeplrKey {
  /** `secp256k1`, `ethsecp256k1` */
  readonly algo: string;
  /** Compressed, 33 bytes. */
  readonly pubKey: Uint8Array;
  /** 20 bytes. */
  readonly address: Uint8Array;
}

/**
 * Keplr's account on this chain, which the person must have added to Keplr: adding it for them needs a REST server of the
 * chain, which the app is none. Errors: WalletError missing, declined, failed.
 */
export async function connectKeplr(
  provider: KeplrProvider | undefined,
  chainId: string,
  hrp: string,
): Promise<DocumentWallet> {
  if (provider === undefined) {
    throw new WalletError('missing', 'Keplr is not here. Install its extension and load this page again.');
  }
  const key = await asked(async () => {
    await provider.enable(chainId);
    return await provider.getKey(chainId);
  }, `Keplr does not know the chain ${chainId}, or could not open it. Add it to Keplr first; this page cannot do that for you.`);
  const address = bech32Of(hrp, key.address);
  const isEthereum = /^eth/.test(key.algo);
  return {
    kind: 'keplr',
    signs: 'documents',
    address,
    evmAddress: evmAddressOf(key.address),
    publicKey: {
      '@type': isEthereum ? '/cosmos.evm.crypto.v1.ethsecp256k1.PubKey' : '/cosmos.crypto.secp256k1.PubKey',
      key: base64.encode(key.pubKey),
    },
    async sign({ bodyBytes, authInfoBytes, accountNumber }) {
      const document = { bodyBytes, authInfoBytes, chainId, accountNumber };
      // the fee was shown and agreed to here
      const options = { preferNoSetFee: true, preferNoSetMemo: true };
      const { signed, signature } = await asked(
        () => provider.signDirect(chainId, address, document, options),
        'Keplr could not sign this.',
      );
      return {
        bodyBytes: signed.bodyBytes,
        authInfoBytes: signed.authInfoBytes,
        signature: base64.decode(signature.signature),
      };
    },
  };
}

async function asked<T>(ask: () => Promise<T>, otherwise: string): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (/reject|denied|declin/i.test(reason)) throw new WalletError('declined', 'You declined it in Keplr.');
    throw new WalletError('failed', `${otherwise} It says: ${reason}`);
  }
}
