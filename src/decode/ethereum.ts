import { computeAddress, Signature, Transaction } from 'ethers';
import { bytesToHex, hexToBytes } from 'strata-kit/bytes';
import { keccak256 } from 'strata-kit/hash';
import { decodeRlpList, type RlpItem } from 'strata-kit/rlp';
import { WireReader } from '../core/wire.ts';
import { readAny } from './tx.ts';

/** What a MsgEthereumTx says of itself, in either shape (spec/chain.md section 1). */
export interface EthereumCall {
  readonly txType: number;
  readonly nonce: bigint;
  /** 20 bytes; undefined for a contract creation. */
  readonly to: Uint8Array | undefined;
  readonly value: bigint;
  readonly gasLimit: bigint;
  readonly input: Uint8Array;
  /** From the message's own field; undefined when the chain leaves it empty. */
  readonly from: Uint8Array | undefined;
  /** The eth hash: keccak256 of the signed RLP. Costly; a response's hash saves it. */
  hash(): Uint8Array | undefined;
  /** The sender from the signature. Costly; undefined when it cannot be recovered. */
  recoverSender(): Uint8Array | undefined;
}

const NO_BYTES = new Uint8Array(0);

/**
 * Reads cosmos/evm ≥ 0.4 (`bytes from = 5`, `bytes raw = 6`) and ethermint (`Any data = 1`, `string hash = 3`,
 * `string from = 4`). Undefined when the bytes are neither. Errors: WireError on broken bytes.
 */
export function decodeEthereumMessage(bytes: Uint8Array): EthereumCall | undefined {
  const reader = new WireReader(bytes);
  let data: Uint8Array | undefined;
  let hashText = '';
  let fromText = '';
  let from: Uint8Array | undefined;
  let raw: Uint8Array | undefined;
  while (reader.next()) {
    if (reader.field === 1) data = reader.delimited();
    else if (reader.field === 3) hashText = reader.latin1();
    else if (reader.field === 4) fromText = reader.latin1();
    else if (reader.field === 5) from = reader.delimited();
    else if (reader.field === 6) raw = reader.delimited();
    else reader.skip();
  }
  if (raw !== undefined) return readSignedRlp(raw, from?.length === 20 ? from : undefined);
  if (data !== undefined) return readTxData(data, hashText, fromText);
  return undefined;
}

/** Positions of nonce, gas, to, value and input in the RLP list, by tx type. */
const RLP_FIELDS: readonly (readonly [
  nonce: number,
  gas: number,
  to: number,
  value: number,
  input: number,
])[] = [
  [0, 2, 3, 4, 5],
  [1, 3, 4, 5, 6],
  [1, 4, 5, 6, 7],
  [1, 4, 5, 6, 7], // 4844: to may not be empty, positions as 1559
  [1, 4, 5, 6, 7], // 7702
];

const NO_FIELDS = [-1, -1, -1, -1, -1] as const;

/** Broken RLP and tx types of the future leave their fields empty; sender and hash are known all the same. */
function readSignedRlp(raw: Uint8Array, from: Uint8Array | undefined): EthereumCall {
  const first = raw[0] ?? 0;
  const txType = first < 0x80 ? first : 0;
  const [nonce, gas, to, value, input] = RLP_FIELDS[txType] ?? NO_FIELDS;
  const items = listOf(raw, first < 0x80 ? 1 : 0);
  const field = (at: number): Uint8Array => {
    const item = items[at];
    return item instanceof Uint8Array ? item : NO_BYTES;
  };
  const recipient = field(to);
  return {
    txType,
    nonce: bigEndian(field(nonce)),
    to: recipient.length === 20 ? recipient : undefined,
    value: bigEndian(field(value)),
    gasLimit: bigEndian(field(gas)),
    input: field(input),
    from,
    hash: () => keccak256(raw),
    recoverSender: () => senderOf(() => Transaction.from(`0x${bytesToHex(raw)}`)),
  };
}

function listOf(raw: Uint8Array, start: number): readonly RlpItem[] {
  try {
    return decodeRlpList(raw, start);
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
}

function bigEndian(bytes: Uint8Array): bigint {
  if (bytes.length === 0) return 0n;
  if (bytes.length > 6) return BigInt(`0x${bytesToHex(bytes)}`);
  let value = 0;
  for (let i = 0; i < bytes.length; i++) value = value * 256 + (bytes[i] as number);
  return BigInt(value);
}

/** Field numbers of ethermint's LegacyTx, AccessListTx and DynamicFeeTx. */
const TX_DATA: {
  readonly [name: string]: { readonly type: number; readonly at: Readonly<Record<TxDataField, number>> };
} = {
  LegacyTx: {
    type: 0,
    at: {
      chainId: 0,
      nonce: 1,
      tip: 0,
      price: 2,
      gas: 3,
      to: 4,
      value: 5,
      input: 6,
      accesses: 0,
      v: 7,
      r: 8,
      s: 9,
    },
  },
  AccessListTx: {
    type: 1,
    at: {
      chainId: 1,
      nonce: 2,
      tip: 0,
      price: 3,
      gas: 4,
      to: 5,
      value: 6,
      input: 7,
      accesses: 8,
      v: 9,
      r: 10,
      s: 11,
    },
  },
  DynamicFeeTx: {
    type: 2,
    at: {
      chainId: 1,
      nonce: 2,
      tip: 3,
      price: 4,
      gas: 5,
      to: 6,
      value: 7,
      input: 8,
      accesses: 9,
      v: 10,
      r: 11,
      s: 12,
    },
  },
};
type TxDataField =
  | 'chainId'
  | 'nonce'
  | 'tip'
  | 'price'
  | 'gas'
  | 'to'
  | 'value'
  | 'input'
  | 'accesses'
  | 'v'
  | 'r'
  | 's';

function readTxData(data: Uint8Array, hashText: string, fromText: string): EthereumCall | undefined {
  const { typeUrl, value } = readAny(data);
  const spec = TX_DATA[typeUrl.slice(typeUrl.lastIndexOf('.') + 1)];
  if (spec === undefined) return undefined;
  const fields = readFields(value);
  const at = spec.at;
  const number = (field: TxDataField): bigint => fields.numbers.get(at[field]) ?? 0n;
  const bytes = (field: TxDataField): Uint8Array => fields.bytes.get(at[field])?.[0] ?? NO_BYTES;
  const decimal = (field: TxDataField): bigint => {
    const digits = Buffer.from(bytes(field)).toString('latin1');
    return /^\d+$/.test(digits) ? BigInt(digits) : 0n;
  };
  const toText = Buffer.from(bytes('to')).toString('latin1');
  const to = toText === '' ? undefined : hexToBytes(toText.replace(/^0x/, ''));
  const signed = (): Transaction =>
    Transaction.from({
      type: spec.type,
      ...(spec.type === 0 ? {} : { chainId: decimal('chainId') }),
      nonce: Number(number('nonce')),
      gasLimit: number('gas'),
      to: to === undefined ? null : `0x${bytesToHex(to)}`,
      value: decimal('value'),
      data: `0x${bytesToHex(bytes('input'))}`,
      ...(spec.type === 2
        ? { maxFeePerGas: decimal('price'), maxPriorityFeePerGas: decimal('tip') }
        : { gasPrice: decimal('price') }),
      ...(spec.type === 0 ? {} : { accessList: (fields.bytes.get(at.accesses) ?? []).map(readAccessTuple) }),
      signature: Signature.from({
        r: word(bytes('r')),
        s: word(bytes('s')),
        v: bigEndian(bytes('v')) + yParityBase(spec.type),
      }),
    });
  const hash = hexToBytes(hashText.replace(/^0x/, ''));
  const from = hexToBytes(fromText.replace(/^0x/, ''));
  return {
    txType: spec.type,
    nonce: number('nonce'),
    to: to?.length === 20 ? to : undefined,
    value: decimal('value'),
    gasLimit: number('gas'),
    input: bytes('input'),
    from: from?.length === 20 ? from : undefined,
    hash: () =>
      hash?.length === 32 ? hash : attempt(() => hexToBytes((signed().hash ?? '').replace(/^0x/, ''))),
    recoverSender: () => senderOf(signed),
  };
}

/** Typed transactions sign with y parity 0 or 1; ethers names it v = 27 or 28. */
function yParityBase(txType: number): bigint {
  return txType === 0 ? 0n : 27n;
}

function word(bytes: Uint8Array): string {
  return `0x${bytesToHex(bytes).padStart(64, '0')}`;
}

interface WireFields {
  readonly numbers: Map<number, bigint>;
  readonly bytes: Map<number, Uint8Array[]>;
}

function readFields(message: Uint8Array): WireFields {
  const numbers = new Map<number, bigint>();
  const bytes = new Map<number, Uint8Array[]>();
  const reader = new WireReader(message);
  while (reader.next()) {
    if (reader.wireType === 0) numbers.set(reader.field, reader.varintBig());
    else if (reader.wireType === 2)
      bytes.set(reader.field, [...(bytes.get(reader.field) ?? []), reader.delimited()]);
    else reader.skip();
  }
  return { numbers, bytes };
}

function readAccessTuple(bytes: Uint8Array): { address: string; storageKeys: string[] } {
  const fields = readFields(bytes).bytes;
  const texts = (field: number) =>
    (fields.get(field) ?? []).map((text) => Buffer.from(text).toString('latin1'));
  return { address: texts(1)[0] ?? '', storageKeys: texts(2) };
}

function senderOf(signed: () => Transaction): Uint8Array | undefined {
  return attempt(() => {
    const key = signed().fromPublicKey;
    return key === null ? undefined : hexToBytes(computeAddress(key).slice(2));
  });
}

/** A signature or field that ethers refuses means that there is nothing to recover. */
function attempt<T>(recover: () => T | undefined): T | undefined {
  try {
    return recover();
  } catch {
    return undefined;
  }
}
