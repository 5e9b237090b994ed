import type { Common } from '@ethereumjs/common';
import { createTxFromRLP, TransactionType, type TypedTransaction } from '@ethereumjs/tx';
import { LRUCache } from 'lru-cache';
import { bytesToHex, bytesToLatin1 } from '../../../core/bytes.ts';
import { ChainError, sdkError } from '../../app/errors.ts';

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

export interface AccessListEntry {
  readonly address: Uint8Array;
  readonly slots: readonly Uint8Array[];
}

/** Codes of the SDK that errors.ts does not name. */
const NOT_SUPPORTED = 37;

/** A tx is seen by the mempool, by the block and by those who ask for it. */
const KEPT_TXS = 20_000;

/**
 * Reads the signed bytes. Errors: sdk/2 (no such tx), sdk/37 (a legacy tx without a chain id), sdk/28 (another chain's),
 * sdk/24 (a signature that fits no key).
 */
export function createTransactionReader(rules: Common): (raw: Uint8Array) => EthereumTx {
  const known = new LRUCache<string, EthereumTx>({ max: KEPT_TXS });
  return (raw) => {
    const key = bytesToLatin1(raw);
    let tx = known.get(key);
    if (tx === undefined) {
      tx = readTransaction(rules, raw);
      known.set(key, tx);
    }
    return tx;
  };
}

function readTransaction(rules: Common, raw: Uint8Array): EthereumTx {
  const tx = parse(rules, raw);
  const isLegacy = tx.type === TransactionType.Legacy;
  if (isLegacy && (tx.v === 27n || tx.v === 28n)) {
    throw new ChainError(
      'sdk',
      NOT_SUPPORTED,
      'rejected unprotected Ethereum transaction. Please EIP155 sign your transaction to protect it against replay-attacks: not supported',
    );
  }
  const accessList = 'accessList' in tx ? tx.accessList : [];
  const price = 'gasPrice' in tx ? tx.gasPrice : undefined;
  return {
    type: tx.type,
    hash: `0x${bytesToHex(tx.hash())}`,
    from: senderOf(tx),
    to: tx.to?.bytes,
    nonce: tx.nonce,
    value: tx.value,
    data: tx.data,
    gasLimit: tx.gasLimit,
    maxFeePerGas: price ?? ('maxFeePerGas' in tx ? tx.maxFeePerGas : 0n),
    maxPriorityFeePerGas: price ?? ('maxPriorityFeePerGas' in tx ? tx.maxPriorityFeePerGas : 0n),
    accessList: accessList.map(([address, slots]) => ({ address, slots })),
    intrinsicGas: tx.getIntrinsicGas(),
    signature: { v: tx.v ?? 0n, r: tx.r ?? 0n, s: tx.s ?? 0n },
  };
}

function parse(rules: Common, raw: Uint8Array): TypedTransaction {
  const refuse = (reason: string) =>
    sdkError('txDecode', `failed to decode ethereum transaction: ${reason}: tx parse error`);
  const kind = raw[0];
  if (kind === undefined) throw refuse('empty');
  if (kind === 0x03 || kind === 0x04) throw refuse('transaction type not supported');
  try {
    return createTxFromRLP(raw, { common: rules, freeze: false });
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).split(' (')[0] ?? '';
    if (/chain ?id|chainId|signature should be|Incompatible EIP155/i.test(reason))
      throw sdkError('invalidChainId', 'invalid chain id for signer: invalid chain-id');
    throw refuse(reason);
  }
}

function senderOf(tx: TypedTransaction): Uint8Array {
  try {
    return tx.getSenderAddress().bytes;
  } catch {
    // the library's reasons are its own; the chain says what a node says
    throw sdkError(
      'invalidSigner',
      `couldn't retrieve sender address from the ethereum transaction: invalid transaction v, r, s values: tx intended signer does not match the given signer`,
    );
  }
}
