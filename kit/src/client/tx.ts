import { bytesToHex } from '../bytes.ts';
import type { Codec } from '../codec/codec.ts';
import type { Coin } from '../coin.ts';
import { sha256 } from '../hash.ts';
import type { JsonObject } from '../proto-json.ts';
import { type Key, PUBLIC_KEY_TYPES, signBytes } from './keys.ts';
import {
  type PackedContent,
  packDocument,
  publicKeyBytes,
  type SignDocument,
  signDocBytes,
  txBytes,
} from './sign-direct.ts';

/** Txs in SIGN_MODE_DIRECT, signed. */

export interface TxContent extends Omit<PackedContent, 'messages' | 'fee'> {
  /** Proto-JSON, each with its `@type`. */
  readonly messages: readonly JsonObject[];
  readonly fee: readonly Coin[];
}

export interface TxSigner {
  readonly key: Pick<Key, 'algorithm' | 'privateKey' | 'publicKey'>;
  readonly accountNumber: bigint;
  readonly sequence: bigint;
}

/** What all signers sign, except for their account numbers. Errors: ChainError sdk/2 for messages that are none. */
export function signDocument(codec: Codec, content: TxContent, signers: readonly TxSigner[]): SignDocument {
  return documentOf(packed(codec, content), signers);
}

/** A signed TxRaw. Errors: ChainError sdk/2 for messages that are none. */
export function buildTx(
  codec: Codec,
  content: TxContent,
  signers: readonly TxSigner[],
  chainId: string,
): Uint8Array {
  return signTx(packed(codec, content), signers, chainId);
}

/** A signed TxRaw of packed messages. */
export function signTx(content: PackedContent, signers: readonly TxSigner[], chainId: string): Uint8Array {
  const document = documentOf(content, signers);
  const signatures = signers.map(({ key, accountNumber }) =>
    signBytes(key, signDocBytes(document, chainId, accountNumber)),
  );
  return txBytes(document, signatures);
}

/**
 * A TxRaw for a simulation, which checks no signature. A signed one could be sent on by anyone on the way to the node, and
 * would be paid for.
 */
export function unsignedTx(codec: Codec, content: TxContent, signers: readonly TxSigner[]): Uint8Array {
  const noSignatures = signers.map(() => new Uint8Array(64));
  return txBytes(signDocument(codec, content, signers), noSignatures);
}

/** As CometBFT names a tx: upper-case hex. */
export function txHash(tx: Uint8Array): string {
  return bytesToHex(sha256(tx)).toUpperCase();
}

function packed(codec: Codec, content: TxContent): PackedContent {
  return { ...content, messages: content.messages.map((message) => codec.anyFromJson(message)) };
}

function documentOf(content: PackedContent, signers: readonly TxSigner[]): SignDocument {
  return packDocument(
    content,
    signers.map(({ key: { algorithm, publicKey }, sequence }) => ({
      publicKey: { typeUrl: PUBLIC_KEY_TYPES[algorithm], value: publicKeyBytes(publicKey) },
      sequence,
    })),
  );
}
