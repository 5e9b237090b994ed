import { sha256 } from '@noble/hashes/sha2.js';
import { base64, hex } from '@scure/base';
import type { ChainTypes } from './chain-types.ts';
import type { Message } from './json.ts';

/** Txs in SIGN_MODE_DIRECT (cosmos.tx.v1beta1), byte for byte as the command line makes them. */

export interface Coin {
  readonly denom: string;
  readonly amount: string;
}

export interface TxContent {
  readonly messages: readonly Message[];
  readonly fee: readonly Coin[];
  readonly gasLimit: bigint;
  readonly memo?: string;
  /** The last block that may take it; 0n: any. */
  readonly timeoutHeight: bigint;
}

/** What a wallet signs. */
export interface SignDocument {
  readonly bodyBytes: Uint8Array;
  readonly authInfoBytes: Uint8Array;
  readonly chainId: string;
  readonly accountNumber: bigint;
}

export interface Signer {
  /** As an Any. */
  readonly publicKey: Message;
  readonly accountNumber: bigint;
  readonly sequence: bigint;
}

export function signDocument(
  types: ChainTypes,
  { messages, fee, gasLimit, memo = '', timeoutHeight }: TxContent,
  { publicKey, accountNumber, sequence }: Signer,
  chainId: string,
): SignDocument {
  return {
    bodyBytes: types.encode('cosmos.tx.v1beta1.TxBody', {
      messages,
      memo,
      timeout_height: String(timeoutHeight),
    }),
    authInfoBytes: types.encode('cosmos.tx.v1beta1.AuthInfo', {
      signer_infos: [
        {
          public_key: publicKey,
          mode_info: { single: { mode: 'SIGN_MODE_DIRECT' } },
          sequence: String(sequence),
        },
      ],
      fee: {
        amount: fee.map(({ denom, amount }) => ({ denom, amount })),
        gas_limit: String(gasLimit),
      },
    }),
    chainId,
    accountNumber,
  };
}

export function signDocumentBytes(types: ChainTypes, document: SignDocument): Uint8Array {
  return types.encode('cosmos.tx.v1beta1.SignDoc', {
    body_bytes: base64.encode(document.bodyBytes),
    auth_info_bytes: base64.encode(document.authInfoBytes),
    chain_id: document.chainId,
    account_number: String(document.accountNumber),
  });
}

/** TxRaw. */
export function txBytes(
  types: ChainTypes,
  { bodyBytes, authInfoBytes }: Pick<SignDocument, 'bodyBytes' | 'authInfoBytes'>,
  signature: Uint8Array,
): Uint8Array {
  return types.encode('cosmos.tx.v1beta1.TxRaw', {
    body_bytes: base64.encode(bodyBytes),
    auth_info_bytes: base64.encode(authInfoBytes),
    signatures: [base64.encode(signature)],
  });
}

/** As CometBFT names a tx: upper-case hex of SHA-256. */
export function txHash(tx: Uint8Array): string {
  return hex.encode(sha256(tx)).toUpperCase();
}
