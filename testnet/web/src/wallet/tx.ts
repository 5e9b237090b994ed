import { sha256 } from '@noble/hashes/sha2.js';
import { hex } from '@scure/base';
import { type PackedAny, packDocument } from 'strata-kit/client/sign-direct';
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
  { messages, ...content }: TxContent,
  { publicKey, accountNumber, sequence }: Signer,
  chainId: string,
): SignDocument {
  const packed = { ...content, messages: messages.map((message) => pack(types, message)) };
  const document = packDocument(packed, [{ publicKey: pack(types, publicKey), sequence }]);
  return { ...document, chainId, accountNumber };
}

function pack(types: ChainTypes, { '@type': typeUrl, ...fields }: Message): PackedAny {
  return { typeUrl, value: types.encode(typeUrl.slice(1), fields) };
}

/** As CometBFT names a tx: upper-case hex of SHA-256. */
export function txHash(tx: Uint8Array): string {
  return hex.encode(sha256(tx)).toUpperCase();
}
