import { BinaryWriter } from '@bufbuild/protobuf/wire';

/**
 * The bytes of a tx in SIGN_MODE_DIRECT (cosmos.tx.v1beta1), of messages that are packed already. Written field by field,
 * since a corpus signs a million txs. Pages import this file, so it needs nothing of Node.
 */

/** google.protobuf.Any. */
export interface PackedAny {
  readonly typeUrl: string;
  readonly value: Uint8Array;
}

export interface PackedContent {
  readonly messages: readonly PackedAny[];
  readonly fee: readonly { readonly denom: string; readonly amount: bigint | string }[];
  readonly gasLimit: bigint;
  readonly memo?: string;
  /** The last block that may take it; without it, or with 0n, any may. */
  readonly timeoutHeight?: bigint;
}

export interface PackedSigner {
  readonly publicKey: PackedAny;
  readonly sequence: bigint;
}

export interface SignDocument {
  readonly bodyBytes: Uint8Array;
  readonly authInfoBytes: Uint8Array;
}

const SIGN_MODE_DIRECT = 1;

/** What all signers sign, except for their account numbers. */
export function packDocument(content: PackedContent, signers: readonly PackedSigner[]): SignDocument {
  return { bodyBytes: bodyBytes(content), authInfoBytes: authInfoBytes(content, signers) };
}

/** The SignDoc of one signer. */
export function signDocBytes(
  { bodyBytes, authInfoBytes }: SignDocument,
  chainId: string,
  accountNumber: bigint,
): Uint8Array {
  const writer = new BinaryWriter();
  writeBytes(writer, 1, bodyBytes);
  writeBytes(writer, 2, authInfoBytes);
  if (chainId !== '') writer.tag(3, 2).string(chainId);
  if (accountNumber !== 0n) writer.tag(4, 0).uint64(accountNumber);
  return writer.finish();
}

/** TxRaw. */
export function txBytes(
  { bodyBytes, authInfoBytes }: SignDocument,
  signatures: readonly Uint8Array[],
): Uint8Array {
  const writer = new BinaryWriter();
  writeBytes(writer, 1, bodyBytes);
  writeBytes(writer, 2, authInfoBytes);
  for (const signature of signatures) writer.tag(3, 2).bytes(signature);
  return writer.finish();
}

export function anyBytes({ typeUrl, value }: PackedAny): Uint8Array {
  const writer = new BinaryWriter().tag(1, 2).string(typeUrl);
  writeBytes(writer, 2, value);
  return writer.finish();
}

/** Fee without payer and granter. */
export function feeBytes({ fee, gasLimit }: Pick<PackedContent, 'fee' | 'gasLimit'>): Uint8Array {
  const writer = new BinaryWriter();
  for (const { denom, amount } of fee) {
    const coin = new BinaryWriter().tag(1, 2).string(denom).tag(2, 2).string(String(amount)).finish();
    writer.tag(1, 2).bytes(coin);
  }
  if (gasLimit !== 0n) writer.tag(2, 0).uint64(gasLimit);
  return writer.finish();
}

/** The bytes of every PubKey message that has one field. */
export function publicKeyBytes(key: Uint8Array): Uint8Array {
  return new BinaryWriter().tag(1, 2).bytes(key).finish();
}

function bodyBytes({ messages, memo = '', timeoutHeight = 0n }: PackedContent): Uint8Array {
  const writer = new BinaryWriter();
  for (const message of messages) writer.tag(1, 2).bytes(anyBytes(message));
  if (memo !== '') writer.tag(2, 2).string(memo);
  if (timeoutHeight !== 0n) writer.tag(3, 0).uint64(timeoutHeight);
  return writer.finish();
}

function authInfoBytes(content: PackedContent, signers: readonly PackedSigner[]): Uint8Array {
  const writer = new BinaryWriter();
  for (const { publicKey, sequence } of signers) {
    const single = new BinaryWriter().tag(1, 0).int32(SIGN_MODE_DIRECT).finish();
    const mode = new BinaryWriter().tag(1, 2).bytes(single).finish();
    const info = new BinaryWriter().tag(1, 2).bytes(anyBytes(publicKey)).tag(2, 2).bytes(mode);
    if (sequence !== 0n) info.tag(3, 0).uint64(sequence);
    writer.tag(1, 2).bytes(info.finish());
  }
  return writer.tag(2, 2).bytes(feeBytes(content)).finish();
}

function writeBytes(writer: BinaryWriter, field: number, bytes: Uint8Array): void {
  if (bytes.length > 0) writer.tag(field, 2).bytes(bytes);
}
