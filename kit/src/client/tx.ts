import { bytesToHex } from '../bytes.ts';
import type { Codec } from '../codec/codec.ts';
import type { Coin } from '../coin.ts';
import { sha256 } from '../hash.ts';
import type { JsonObject } from '../proto-json.ts';
import { type Key, publicKeyJson, signBytes } from './keys.ts';

/** Txs in SIGN_MODE_DIRECT (cosmos.tx.v1beta1). */

export interface TxContent {
  /** Proto-JSON, each with its `@type`. */
  readonly messages: readonly JsonObject[];
  readonly fee: readonly Coin[];
  readonly gasLimit: bigint;
  readonly memo?: string;
  /** The last block that may take it; without it any may. */
  readonly timeoutHeight?: bigint;
}

export interface TxSigner {
  readonly key: Key;
  readonly accountNumber: bigint;
  readonly sequence: bigint;
}

export interface SignDocument {
  readonly bodyBytes: Uint8Array;
  readonly authInfoBytes: Uint8Array;
}

/** What all signers sign, but for their account numbers. Errors: ChainError sdk/2 for messages that are none. */
export function signDocument(codec: Codec, content: TxContent, signers: readonly TxSigner[]): SignDocument {
  const { messages, fee, gasLimit, memo = '', timeoutHeight = 0n } = content;
  return {
    bodyBytes: codec.encode('/cosmos.tx.v1beta1.TxBody', {
      messages,
      memo,
      timeout_height: String(timeoutHeight),
    }),
    authInfoBytes: codec.encode('/cosmos.tx.v1beta1.AuthInfo', {
      signer_infos: signers.map(({ key, sequence }) => ({
        public_key: publicKeyJson(key),
        mode_info: { single: { mode: 'SIGN_MODE_DIRECT' } },
        sequence: String(sequence),
      })),
      fee: {
        amount: fee.map(({ denom, amount }) => ({ denom, amount: String(amount) })),
        gas_limit: String(gasLimit),
      },
    }),
  };
}

/** The bytes of the SignDoc. */
export function signDocBytes(
  codec: Codec,
  { bodyBytes, authInfoBytes }: SignDocument,
  chainId: string,
  accountNumber: bigint,
): Uint8Array {
  return codec.encode('/cosmos.tx.v1beta1.SignDoc', {
    body_bytes: Buffer.from(bodyBytes).toString('base64'),
    auth_info_bytes: Buffer.from(authInfoBytes).toString('base64'),
    chain_id: chainId,
    account_number: String(accountNumber),
  });
}

/** TxRaw of these signatures. */
export function txBytes(
  codec: Codec,
  { bodyBytes, authInfoBytes }: SignDocument,
  signatures: readonly Uint8Array[],
): Uint8Array {
  return codec.encode('/cosmos.tx.v1beta1.TxRaw', {
    body_bytes: Buffer.from(bodyBytes).toString('base64'),
    auth_info_bytes: Buffer.from(authInfoBytes).toString('base64'),
    signatures: signatures.map((signature) => Buffer.from(signature).toString('base64')),
  });
}

/** A signed TxRaw. */
export function buildTx(
  codec: Codec,
  content: TxContent,
  signers: readonly TxSigner[],
  chainId: string,
): Uint8Array {
  const document = signDocument(codec, content, signers);
  const signatures = signers.map(({ key, accountNumber }) =>
    signBytes(key, signDocBytes(codec, document, chainId, accountNumber)),
  );
  return txBytes(codec, document, signatures);
}

/**
 * A TxRaw for a simulation, which checks no signature. A signed one could be sent on by anyone on the way to the node, and
 * would be paid for.
 */
export function unsignedTx(codec: Codec, content: TxContent, signers: readonly TxSigner[]): Uint8Array {
  const document = signDocument(codec, content, signers);
  return txBytes(
    codec,
    document,
    signers.map(() => new Uint8Array(64)),
  );
}

/** As CometBFT names a tx: upper-case hex. */
export function txHash(tx: Uint8Array): string {
  return bytesToHex(sha256(tx)).toUpperCase();
}
