/** Ethereum messages in both shapes and their responses, encoded by protobufjs from the published .proto texts. */

import type { Any } from 'cosmjs-types/google/protobuf/any';
import { getBytes, Transaction, type TransactionLike } from 'ethers';
import protobuf from 'protobufjs';
import { type Actor, EVM_CHAIN_ID } from './actors.ts';
import { any, cosmosTx } from './cosmos.ts';
import type { ExpectedEvm, ExpectedLog } from './layout.ts';

export const VM_URL = '/cosmos.evm.vm.v1.MsgEthereumTx';
export const ETHERMINT_URL = '/ethermint.evm.v1.MsgEthereumTx';

const PROTO = protobuf.parse(
  `syntax = "proto3";
  package shapes;
  message Any { string type_url = 1; bytes value = 2; }
  message VmTx { bytes from = 5; bytes raw = 6; }
  message EthermintTx { Any data = 1; double size = 2; string hash = 3; string from = 4; }
  message AccessTuple { string address = 1; repeated string storage_keys = 2; }
  message LegacyTx {
    uint64 nonce = 1; string gas_price = 2; uint64 gas = 3; string to = 4; string value = 5; bytes data = 6;
    bytes v = 7; bytes r = 8; bytes s = 9;
  }
  message AccessListTx {
    string chain_id = 1; uint64 nonce = 2; string gas_price = 3; uint64 gas = 4; string to = 5; string value = 6;
    bytes data = 7; repeated AccessTuple accesses = 8; bytes v = 9; bytes r = 10; bytes s = 11;
  }
  message DynamicFeeTx {
    string chain_id = 1; uint64 nonce = 2; string gas_tip_cap = 3; string gas_fee_cap = 4; uint64 gas = 5;
    string to = 6; string value = 7; bytes data = 8; repeated AccessTuple accesses = 9; bytes v = 10; bytes r = 11;
    bytes s = 12;
  }
  message Log {
    string address = 1; repeated string topics = 2; bytes data = 3; uint64 block_number = 4; string tx_hash = 5;
    uint64 tx_index = 6; string block_hash = 7; uint64 index = 8; bool removed = 9; uint64 block_timestamp = 10;
  }
  message Response {
    string hash = 1; repeated Log logs = 2; bytes ret = 3; string vm_error = 4; uint64 gas_used = 5;
    uint64 max_used_gas = 6; bytes block_hash = 7; uint64 block_timestamp = 8;
  }
  message MsgData { string msg_type = 1; bytes data = 2; }
  message TxMsgData { repeated MsgData data = 1; repeated Any msg_responses = 2; }`,
  { keepCase: true },
).root;

export function encode(type: string, value: Record<string, unknown>): Uint8Array {
  return PROTO.lookupType(`shapes.${type}`).encode(value).finish();
}

export interface ResponseInput {
  readonly hash: string;
  readonly logs?: readonly ExpectedLog[];
  readonly ret?: string;
  readonly vmError?: string;
  readonly gasUsed: number;
}

/** The tx signed by the actor, for the synthetic chain unless the tx names another (0: unprotected). */
export function sign(actor: Actor, tx: TransactionLike): Transaction {
  const transaction = Transaction.from({ chainId: EVM_CHAIN_ID, gasLimit: 100_000, ...tx });
  transaction.signature = actor.key.sign(transaction.unsignedHash);
  return transaction;
}

/** cosmos/evm from v0.4. `from` is left empty when null. */
export function vmMessage(tx: Transaction, from: string | null): Any {
  const value = encode('VmTx', { from: getBytes(from ?? '0x'), raw: getBytes(tx.serialized) });
  return any(VM_URL, value);
}

/** The proto-JSON of vmMessage. The SDK's printer shows bytes that are absent as null. */
export function vmMessageJson(tx: Transaction, from: string | null) {
  const base64 = from === null ? null : Buffer.from(getBytes(from)).toString('base64');
  return { '@type': VM_URL, from: base64, raw: tx.serialized };
}

/** A Cosmos tx as EVM wallets' txs travel: no signers, the extension option, the fee in the gas denom. */
export function ethereumTx(messages: readonly Any[], url = VM_URL): Uint8Array {
  const extension = url.replace('MsgEthereumTx', 'ExtensionOptionsEthereumTx');
  return cosmosTx(messages, { fee: [GAS_FEE], extensions: [extension] });
}

export const GAS_FEE = { denom: 'atest', amount: '2000000' };

/** ethermint, evmos and cosmos/evm up to v0.3. */
export function ethermintMessage(
  tx: Transaction,
  fields: { readonly hash: string; readonly from: string },
): Any {
  const data = encode('Any', ethermintData(tx));
  return any(
    ETHERMINT_URL,
    encode('EthermintTx', { data: PROTO.lookupType('shapes.Any').decode(data), ...fields }),
  );
}

function ethermintData(tx: Transaction): { type_url: string; value: Uint8Array } {
  const { signature } = tx;
  if (signature === null) throw new Error('unsigned');
  const common = {
    ...{ nonce: tx.nonce, gas: Number(tx.gasLimit), to: tx.to ?? '', value: tx.value.toString() },
    ...{ data: getBytes(tx.data), r: trimmed(signature.r), s: trimmed(signature.s) },
  };
  const typed = {
    chain_id: tx.chainId.toString(),
    accesses: (tx.accessList ?? []).map(({ address, storageKeys }) => ({
      address,
      storage_keys: storageKeys,
    })),
    v: trimmed(`0x${signature.yParity.toString(16).padStart(2, '0')}`),
  };
  const gasPrice = { gas_price: (tx.gasPrice ?? 0n).toString() };
  if (tx.type === 0) {
    const v = signature.networkV ?? BigInt(signature.v);
    const bytes = trimmed(`0x${v.toString(16).padStart(6, '0')}`);
    return data('LegacyTx', { ...common, ...gasPrice, v: bytes });
  }
  if (tx.type === 1) return data('AccessListTx', { ...common, ...typed, ...gasPrice });
  const tip = {
    gas_tip_cap: (tx.maxPriorityFeePerGas ?? 0n).toString(),
    gas_fee_cap: (tx.maxFeePerGas ?? 0n).toString(),
  };
  return data('DynamicFeeTx', { ...common, ...typed, ...tip });
}

function data(name: string, value: Record<string, unknown>): { type_url: string; value: Uint8Array } {
  return { type_url: `/ethermint.evm.v1.${name}`, value: encode(name, value) };
}

/** Big-endian without leading zeros, as Go's big.Int gives it: zero is no byte at all. */
function trimmed(hex: string): Uint8Array {
  const bytes = getBytes(hex);
  const start = bytes.findIndex((byte) => byte !== 0);
  return start === -1 ? new Uint8Array() : bytes.subarray(start);
}

export function response(input: ResponseInput): Uint8Array {
  const zeroHash = `0x${'0'.repeat(64)}`;
  return encode('Response', {
    hash: input.hash,
    logs: (input.logs ?? []).map(({ address, topics, data: logData, index }) => ({
      ...{ address, topics, data: getBytes(logData), index },
      ...{ tx_hash: zeroHash, block_hash: zeroHash },
    })),
    ret: getBytes(input.ret ?? '0x'),
    vm_error: input.vmError ?? '',
    gas_used: input.gasUsed,
  });
}

/** TxMsgData as SDK 0.46 and later print it: one response a message, in order. */
export function msgResponses(
  responses: readonly { readonly url: string; readonly value: Uint8Array }[],
): Uint8Array {
  return encode('TxMsgData', {
    msg_responses: responses.map(({ url, value }) => ({ type_url: `${url}Response`, value })),
  });
}

/** TxMsgData as earlier SDKs print it. */
export function msgData(
  responses: readonly { readonly url: string; readonly value: Uint8Array }[],
): Uint8Array {
  return encode('TxMsgData', { data: responses.map(({ url, value }) => ({ msg_type: url, data: value })) });
}

/** What a decoder must show for a message: the signed fields come from ethers, the outcome from the caller. */
export function expectEvm(
  tx: Transaction,
  outcome: {
    readonly from: string;
    readonly gasUsed: number;
    readonly status: 0 | 1;
    readonly revertReason?: string;
    readonly contract?: string;
    readonly logs?: readonly ExpectedLog[];
  },
): ExpectedEvm {
  return {
    view: {
      eth_hash: tx.hash ?? '',
      from: outcome.from,
      to: tx.to,
      value: { denom: 'atest', amount: tx.value.toString() },
      gas_used: outcome.gasUsed,
      status: outcome.status,
      revert_reason: outcome.revertReason ?? null,
    },
    contract: outcome.contract ?? null,
    logs: outcome.logs ?? [],
  };
}
