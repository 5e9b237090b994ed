import { bytesToHex, hexToBytes } from 'strata-kit/bytes';
import { keccak256 } from 'strata-kit/hash';
import { type Collection, collection, numberKey, type Reader, type State } from '../../state/state.ts';
import { BLOOM_BYTES } from './logs.ts';

/** What the EVM keeps beside the accounts of auth and the balances of the bank. Addresses are 40 lower-case hex digits. */

function bytesCollection(name: string): Collection<Uint8Array> {
  return {
    name,
    encode: bytesToHex,
    decode: (text) => hexToBytes(text) ?? new Uint8Array(0),
  };
}

/** Deployed code by its Keccak-256, once however often it is deployed. */
const CODE = bytesCollection('evm/code');
/** Of a contract. */
const CODE_HASHES = bytesCollection('evm/code_hashes');
/** By `<contract>/<slot>`, each slot 64 hex digits; without leading zeros, and none where the slot is zero. */
const STORAGE = bytesCollection('evm/storage');
/** Hashes of the last blocks, for BLOCKHASH. */
const BLOCK_HASHES = bytesCollection('evm/block_hashes');
/** `txs` and `logs` of the block so far. */
const COUNTS = collection<number>('evm/counts');
const BLOOM = bytesCollection('evm/bloom');

const KEPT_BLOCK_HASHES = 256;
const NO_CODE = new Uint8Array(0);

type Writable = Pick<State, 'set' | 'delete' | 'get' | 'entries'>;

export function codeHashOf(reader: Reader, address: string): Uint8Array | undefined {
  return reader.get(CODE_HASHES, address);
}

/** Empty where there is no contract. The same object for the same code. */
export function codeOf(reader: Reader, address: string): Uint8Array {
  const hash = reader.get(CODE_HASHES, address);
  return hash === undefined ? NO_CODE : (reader.get(CODE, bytesToHex(hash)) ?? NO_CODE);
}

export function setCode(state: Writable, address: string, code: Uint8Array): void {
  if (code.length === 0) {
    state.delete(CODE_HASHES, address);
    return;
  }
  const hash = keccak256(code);
  const key = bytesToHex(hash);
  if (state.get(CODE, key) === undefined) state.set(CODE, key, Uint8Array.from(code));
  state.set(CODE_HASHES, address, hash);
}

export function storageAt(reader: Reader, address: string, slot: string): Uint8Array {
  return reader.get(STORAGE, `${address}/${slot}`) ?? NO_CODE;
}

export function setStorage(state: Writable, address: string, slot: string, value: Uint8Array): void {
  const key = `${address}/${slot}`;
  if (value.length === 0) state.delete(STORAGE, key);
  else state.set(STORAGE, key, value);
}

export function clearStorage(state: Writable, address: string): void {
  for (const key of [...state.entries(STORAGE, `${address}/`)].map(([at]) => at)) state.delete(STORAGE, key);
}

/** Zeros for a block that is not among the last 256. */
export function blockHashOf(reader: Reader, height: bigint): Uint8Array {
  return reader.get(BLOCK_HASHES, numberKey(height)) ?? new Uint8Array(32);
}

export interface BlockCounts {
  /** Txs that passed the ante. */
  readonly txs: number;
  readonly logs: number;
}

export function blockCounts(reader: Reader): BlockCounts {
  return { txs: reader.get(COUNTS, 'txs') ?? 0, logs: reader.get(COUNTS, 'logs') ?? 0 };
}

export function setBlockCounts(state: Writable, { txs, logs }: BlockCounts): void {
  state.set(COUNTS, 'txs', txs);
  state.set(COUNTS, 'logs', logs);
}

/** Of the logs of the block so far. */
export function blockBloom(reader: Reader): Uint8Array {
  return reader.get(BLOOM, '') ?? new Uint8Array(BLOOM_BYTES);
}

export function setBlockBloom(state: Writable, bloom: Uint8Array): void {
  state.set(BLOOM, '', bloom);
}

/** Counts start anew, and the block's hash is known to those that follow. */
export function beginBlock(state: Writable, height: number, hash: Uint8Array): void {
  setBlockCounts(state, { txs: 0, logs: 0 });
  state.delete(BLOOM, '');
  state.set(BLOCK_HASHES, numberKey(height), hash);
  if (height > KEPT_BLOCK_HASHES) state.delete(BLOCK_HASHES, numberKey(height - KEPT_BLOCK_HASHES));
}
