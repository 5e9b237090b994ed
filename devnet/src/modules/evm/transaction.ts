import { LRUCache } from 'lru-cache';
import { bytesToHex, bytesToLatin1, concatBytes } from 'strata-kit/bytes';
import { ChainError, sdkError } from 'strata-kit/chain-error';
import { keccak256 } from 'strata-kit/hash';
import { decodeRlpList, encodeRlp, type RlpItem } from 'strata-kit/rlp';
import { recoverPoint } from 'strata-kit/secp256k1';
import { type AccessListEntry, intrinsicGasOf } from './intrinsic-gas.ts';

/** A signed tx of Ethereum: legacy with EIP-155, EIP-2930 or EIP-1559. */
export interface EthereumTx {
  /** 0, 1 or 2. */
  readonly type: number;
  /** Keccak-256 of the signed bytes, 0x-hex. */
  readonly hash: string;
  /** 20 bytes, recovered. */
  readonly from: Uint8Array;
  /** Undefined for a creation. */
  readonly to: Uint8Array | undefined;
  readonly nonce: bigint;
  readonly value: bigint;
  readonly data: Uint8Array;
  readonly gasLimit: bigint;
  /** What a unit of gas may cost at most: the gas price of types 0 and 1. */
  readonly maxFeePerGas: bigint;
  /** Above the base fee: the gas price of types 0 and 1. */
  readonly maxPriorityFeePerGas: bigint;
  readonly accessList: readonly AccessListEntry[];
  /** Gas that is paid before anything runs. */
  readonly intrinsicGas: bigint;
  readonly signature: { readonly v: bigint; readonly r: bigint; readonly s: bigint };
}

/** Codes of the SDK that errors.ts does not name. */
const NOT_SUPPORTED = 37;

/** Of the signed bytes, as go-ethereum's pool has it. */
const MAX_TX_BYTES = 131_072;
/** A tx is seen by the mempool, by the block and by those who ask for it. */
const KEPT_TXS = 20_000;
/** What they hold together, roughly. */
const KEPT_BYTES = 64_000_000;

/**
 * Reads the signed bytes. Errors: sdk/21 (too many), sdk/2 (no such tx), sdk/37 (a legacy tx without a chain id), sdk/28
 * (another chain's), sdk/24 (a signature that fits no key).
 */
export function createTransactionReader(
  chainId: bigint,
  keptBytes = KEPT_BYTES,
): (raw: Uint8Array) => EthereumTx {
  const known = new LRUCache<string, EthereumTx>({
    max: KEPT_TXS,
    maxSize: keptBytes,
    // the key, the bytes, and for an access list an object for each of its parts
    sizeCalculation: ({ accessList }, raw) =>
      1_000 + 2 * raw.length + accessList.reduce((sum, { slots }) => sum + 300 + 150 * slots.length, 0),
  });
  return (raw) => {
    if (raw.length > MAX_TX_BYTES)
      throw sdkError(
        'txTooLarge',
        `oversized data: transaction size ${raw.length}, limit ${MAX_TX_BYTES}: tx too large`,
      );
    const key = bytesToLatin1(raw);
    let tx = known.get(key);
    if (tx === undefined) {
      tx = readTransaction(chainId, raw);
      known.set(key, tx);
    }
    return tx;
  };
}

/** Fields before the signature, by type. */
const FIELDS = [6, 8, 9] as const;
/** Of a signature's s, the greatest that is taken (EIP-2). */
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/**
 * Not by @ethereumjs/tx. It refuses what this chain reads and answers later with its own code: gas times price above 2^256,
 * init code above 48 KiB, nonce 2^64 - 1. It takes a legacy tx without a chain id. Its refusals have texts but no codes.
 */
function readTransaction(chainId: bigint, raw: Uint8Array): EthereumTx {
  const type = typeOf(raw);
  const list = parse(raw, type === 0 ? 0 : 1);
  const count = FIELDS[type];
  if (list.length !== count + 3) throw undecodable(`${list.length} fields`);
  // the chain id of the typed ones stands first
  const at = type === 0 ? 0 : 1;
  const field = (index: number): RlpItem => list[index] ?? NO_BYTES;
  const [v, r, s] = [integer(field(count), 8), integer(field(count + 1), 32), integer(field(count + 2), 32)];
  const recovery = recoveryOf(type, chainId, v, type === 0 ? undefined : integer(field(0), 8));
  const fees = type === 2 ? 2 : 1;
  const to = bytes(field(at + fees + 2));
  if (to.length !== 0 && to.length !== 20) throw undecodable('a recipient is 20 bytes');
  const maxPriorityFeePerGas = integer(field(at + 1), 32);
  const maxFeePerGas = integer(field(at + fees), 32);
  if (maxPriorityFeePerGas > maxFeePerGas)
    throw undecodable('max priority fee per gas higher than max fee per gas');
  const called = {
    to: to.length === 0 ? undefined : to,
    data: bytes(field(at + fees + 4)),
    accessList: type === 0 ? [] : accessListOf(field(at + fees + 5)),
  };
  return {
    type,
    hash: `0x${bytesToHex(keccak256(raw))}`,
    from: recover(signedHash(type, chainId, list.slice(0, count)), r, s, recovery),
    ...called,
    nonce: integer(field(at), 8),
    value: integer(field(at + fees + 3), 32),
    gasLimit: integer(field(at + fees + 1), 8),
    maxFeePerGas,
    maxPriorityFeePerGas,
    intrinsicGas: intrinsicGasOf(called),
    signature: { v, r, s },
  };
}

const NO_BYTES = new Uint8Array(0);

function undecodable(reason: string): ChainError {
  return sdkError('txDecode', `failed to decode ethereum transaction: ${reason}: tx parse error`);
}

function typeOf(raw: Uint8Array): 0 | 1 | 2 {
  const first = raw[0];
  if (first === undefined) throw undecodable('empty');
  if (first >= 0xc0) return 0;
  if (first === 1 || first === 2) return first;
  throw undecodable('transaction type not supported');
}

function parse(raw: Uint8Array, start: number): readonly RlpItem[] {
  try {
    return decodeRlpList(raw, start);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw undecodable(`rlp: ${error.message}`);
  }
}

function bytes(item: RlpItem): Uint8Array {
  if (item instanceof Uint8Array) return item;
  throw undecodable('a list where bytes are');
}

/** Without zeros before it, of `most` bytes at most. */
function integer(item: RlpItem, most: number): bigint {
  const digits = bytes(item);
  if (digits.length === 0) return 0n;
  if (digits[0] === 0) throw undecodable('rlp: canon. int: leading zero bytes');
  if (digits.length > most) throw undecodable('an integer is too large');
  return BigInt(`0x${bytesToHex(digits)}`);
}

function accessListOf(item: RlpItem): AccessListEntry[] {
  return listOf(item).map((entry) => {
    const [address = NO_BYTES, slots = NO_BYTES, ...more] = listOf(entry);
    if (more.length > 0 || bytes(address).length !== 20) throw undecodable('no access list');
    return {
      address: bytes(address),
      slots: listOf(slots).map((slot) => {
        if (bytes(slot).length !== 32) throw undecodable('no access list');
        return bytes(slot);
      }),
    };
  });
}

function listOf(item: RlpItem): readonly RlpItem[] {
  if (item instanceof Uint8Array) throw undecodable('bytes where a list is');
  return item;
}

/** 0 or 1. */
function recoveryOf(type: number, chainId: bigint, v: bigint, named: bigint | undefined): number {
  if (type === 0) {
    if (v === 27n || v === 28n) {
      throw new ChainError(
        'sdk',
        NOT_SUPPORTED,
        'rejected unprotected Ethereum transaction. Please EIP155 sign your transaction to protect it against replay-attacks: not supported',
      );
    }
    const recovery = v - (2n * chainId + 35n);
    if (v < 35n) throw invalidSignature();
    if (recovery !== 0n && recovery !== 1n) throw otherChain();
    return Number(recovery);
  }
  if (named !== chainId) throw otherChain();
  if (v > 1n) throw invalidSignature();
  return Number(v);
}

function otherChain(): ChainError {
  return sdkError('invalidChainId', 'invalid chain id for signer: invalid chain-id');
}

/** What was signed is the tx without its signature; of a legacy one with the chain id and two empty fields (EIP-155). */
function signedHash(type: number, chainId: bigint, fields: readonly RlpItem[]): Uint8Array {
  if (type !== 0) return keccak256(concatBytes([Uint8Array.of(type), encodeRlp(fields)]));
  return keccak256(encodeRlp([...fields, chainId, 0n, 0n]));
}

function recover(hash: Uint8Array, r: bigint, s: bigint, recovery: number): Uint8Array {
  if (r === 0n || s === 0n || s > HALF_ORDER) throw invalidSignature();
  const signature = Buffer.from(r.toString(16).padStart(64, '0') + s.toString(16).padStart(64, '0'), 'hex');
  try {
    return keccak256(recoverPoint(signature, recovery, hash)).subarray(12);
  } catch {
    // the library's reasons are its own; the chain says what a node says
    throw invalidSignature();
  }
}

function invalidSignature(): ChainError {
  return sdkError(
    'invalidSigner',
    "couldn't retrieve sender address from the ethereum transaction: invalid transaction v, r, s values: tx intended signer does not match the given signer",
  );
}
