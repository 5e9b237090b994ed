import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { base64ToBytes, bytesToHex } from 'strata-kit/bytes';
import { ChainError, sdkError } from 'strata-kit/chain-error';
import type { Codec } from 'strata-kit/codec/codec';
import type { Coin } from 'strata-kit/coin';
import type { Json, JsonObject } from 'strata-kit/proto-json';
import { txHash } from '../comet/hashes.ts';
import type { PublicKey } from '../modules/auth/keeper.ts';
import { requireAddress } from './address.ts';
import { requireOneEnvelope } from './envelope.ts';
import type { ChainParameters } from './parameters.ts';

/** A tx of the Cosmos SDK (cosmos.tx.v1beta1.TxRaw), taken apart. */
export interface Tx {
  readonly bytes: Uint8Array;
  /** Upper-case hex. */
  readonly hash: string;
  readonly bodyBytes: Uint8Array;
  readonly authInfoBytes: Uint8Array;
  /** Of the body and the auth info, with all that they hold. */
  readonly fieldCount: number;
  readonly messages: readonly TxMessage[];
  /** Those of the messages in their order, each once, then a fee payer who is none of them. */
  readonly signers: readonly string[];
  readonly memo: string;
  readonly timeoutHeight: bigint;
  readonly isUnordered: boolean;
  /** Type URLs of the critical ones. */
  readonly extensions: readonly string[];
  readonly signerInfos: readonly SignerInfo[];
  readonly signatures: readonly Uint8Array[];
  readonly fee: Fee;
}

export interface TxMessage {
  readonly typeUrl: string;
  /** Proto-JSON, `@type` included. */
  readonly value: JsonObject;
  /** Bech32, as its descriptor's signer option names them. */
  readonly signers: readonly string[];
}

export interface SignerInfo {
  readonly publicKey: PublicKey | undefined;
  /** `SIGN_MODE_DIRECT`; undefined for several keys at once. */
  readonly mode: string | undefined;
  readonly sequence: bigint;
}

export interface Fee {
  readonly coins: readonly Coin[];
  readonly gasLimit: bigint;
  /** Empty: the first signer. */
  readonly payer: string;
  readonly granter: string;
}

const TX_BODY = '/cosmos.tx.v1beta1.TxBody';
const AUTH_INFO = '/cosmos.tx.v1beta1.AuthInfo';

/** Errors: sdk/21. */
export function requireTxSize(bytes: Uint8Array, maxBytes: number): void {
  if (bytes.length > maxBytes) {
    throw sdkError(
      'txTooLarge',
      `Tx too large. Max size is ${maxBytes}, but got ${bytes.length}: tx too large`,
    );
  }
}

/** 1,000 messages have fewer. To decode so many takes 20 ms, and nobody has paid for it yet. */
const MAX_FIELDS = 10_000;

/** Errors: sdk/21. */
function requireFewFields(codec: Codec, bodyBytes: Uint8Array, authInfoBytes: Uint8Array): number {
  const count =
    codec.countFields(TX_BODY, bodyBytes, MAX_FIELDS) +
    codec.countFields(AUTH_INFO, authInfoBytes, MAX_FIELDS);
  if (count > MAX_FIELDS)
    throw sdkError('txTooLarge', `Tx too large. It has more than ${MAX_FIELDS} fields: tx too large`);
  return count;
}

/** Errors: sdk/2 for bytes that are no tx, with unknown fields or types; sdk/21 for one with too many fields. */
export function decodeTx(codec: Codec, parameters: ChainParameters, bytes: Uint8Array): Tx {
  const { bodyBytes, authInfoBytes, signatures } = readRaw(bytes);
  const fieldCount = requireFewFields(codec, bodyBytes, authInfoBytes);
  const body = codec.decode(TX_BODY, bodyBytes);
  const authInfo = codec.decode(AUTH_INFO, authInfoBytes);
  if (list(body.extension_options).length > 0)
    requireOneEnvelope(codec, { bodyBytes, authInfoBytes, body, authInfo });
  const fee = readFee(authInfo.fee);
  const messages = list(body.messages).map((value) => readMessage(codec, parameters, value));
  const signers = new Set(messages.flatMap((message) => message.signers));
  if (fee.payer !== '') {
    requireSigner(parameters, fee.payer);
    signers.add(fee.payer);
  }
  return {
    bytes,
    hash: txHash(bytes),
    bodyBytes,
    authInfoBytes,
    fieldCount,
    messages,
    signers: [...signers],
    memo: String(body.memo ?? ''),
    timeoutHeight: BigInt(String(body.timeout_height ?? 0)),
    isUnordered: body.unordered === true,
    extensions: list(body.extension_options).map((option) => String(option['@type'])),
    signerInfos: list(authInfo.signer_infos).map(readSignerInfo),
    signatures,
    fee,
  };
}

/** By ADR-027, so that nobody can write a signed tx in other bytes, with another hash. */
function readRaw(bytes: Uint8Array) {
  let bodyBytes: Uint8Array = new Uint8Array(0);
  let authInfoBytes: Uint8Array = new Uint8Array(0);
  const signatures: Uint8Array[] = [];
  try {
    const reader = new BinaryReader(bytes);
    let shortest = 0;
    let last = 0;
    while (reader.pos < reader.len) {
      const [field, type] = reader.tag();
      if (type !== WireType.LengthDelimited || field > 3)
        throw new Error(`errUnknownField "/cosmos.tx.v1beta1.TxRaw": {TagNum: ${field}, WireType: ${type}}`);
      if (field < last || (field === last && field !== 3))
        throw new Error(`fields of a TxRaw stand in their order, each once: ${last}, then ${field}`);
      last = field;
      const value = reader.bytes();
      shortest += 1 + lengthBytes(value.length) + value.length;
      if (field === 1) bodyBytes = value;
      else if (field === 2) authInfoBytes = value;
      else signatures.push(value);
    }
    if (shortest !== reader.len) throw new Error('lengths in a TxRaw are written as short as they can be');
  } catch (error) {
    throw sdkError('txDecode', `${error instanceof Error ? error.message : String(error)}: tx parse error`);
  }
  return { bodyBytes, authInfoBytes, signatures };
}

/** Of a varint, seven bits each. */
function lengthBytes(length: number): number {
  return Math.max(1, Math.ceil((32 - Math.clz32(length)) / 7));
}

function readMessage(codec: Codec, parameters: ChainParameters, value: JsonObject): TxMessage {
  const typeUrl = String(value['@type']);
  const signers = codec.signersOf(typeUrl, value);
  for (const signer of signers) requireSigner(parameters, signer);
  return { typeUrl, value, signers };
}

function requireSigner(parameters: ChainParameters, address: string): void {
  try {
    requireAddress(parameters, address, 'signer address');
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    throw sdkError('txDecode', `${error.message}: tx parse error`);
  }
}

function readSignerInfo(info: JsonObject): SignerInfo {
  const mode = object(object(info.mode_info)?.single)?.mode;
  return {
    publicKey: readPublicKey(object(info.public_key)),
    mode: typeof mode === 'string' ? mode : undefined,
    sequence: BigInt(String(info.sequence ?? 0)),
  };
}

function readPublicKey(json: JsonObject | undefined): PublicKey | undefined {
  if (json === undefined) return undefined;
  return { typeUrl: String(json['@type']), key: bytesToHex(base64ToBytes(String(json.key ?? ''))) };
}

function readFee(json: Json | undefined): Fee {
  const fee = object(json) ?? {};
  return {
    coins: list(fee.amount).map(({ denom, amount }) => ({
      denom: String(denom),
      amount: readAmount(amount),
    })),
    gasLimit: BigInt(String(fee.gas_limit ?? 0)),
    payer: String(fee.payer ?? ''),
    granter: String(fee.granter ?? ''),
  };
}

function readAmount(amount: Json | undefined): bigint {
  const text = String(amount ?? '');
  if (!/^\d{1,77}$/.test(text)) throw sdkError('txDecode', `invalid fee amount ${text}: tx parse error`);
  return BigInt(text);
}

function list(json: Json | undefined): readonly JsonObject[] {
  return Array.isArray(json) ? (json as readonly JsonObject[]) : [];
}

function object(json: Json | undefined): JsonObject | undefined {
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as JsonObject) : undefined;
}
