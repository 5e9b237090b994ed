import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { bytesToHex, concatBytes } from 'strata-kit/bytes';
import { anyBytes, feeBytes } from 'strata-kit/client/sign-direct';
import { keccak256 } from 'strata-kit/hash';
import { encodeRlp, type RlpInput } from 'strata-kit/rlp';
import { signDigest } from 'strata-kit/secp256k1';
import type { Account } from './accounts.ts';

/** A signed Ethereum tx inside a Cosmos tx, in the shape of cosmos/evm 0.4 and later (chain.md section 1). */

export const ETHEREUM_TX_TYPES = ['legacy', 'access-list', 'dynamic-fee'] as const;
export type EthereumTxType = (typeof ETHEREUM_TX_TYPES)[number];

export interface EthereumTx {
  readonly type: EthereumTxType;
  readonly from: Account;
  readonly nonce: bigint;
  /** EIP-155. */
  readonly chainId: bigint;
  /** 20 bytes; undefined creates a contract. */
  readonly to: Uint8Array | undefined;
  readonly value: bigint;
  readonly data: Uint8Array;
  readonly gasLimit: bigint;
  /** In the gas denom; also the greatest tip, where there is one. */
  readonly gasPrice: bigint;
  readonly gasDenom: string;
}

/** The signed payload, as eth_sendRawTransaction takes it: EIP-155, EIP-2930 or EIP-1559. */
export function signEthereumPayload(tx: EthereumTx): Uint8Array {
  const call: RlpInput[] = [tx.gasLimit, tx.to ?? new Uint8Array(), tx.value, tx.data];
  if (tx.type === 'legacy') {
    const fields: RlpInput[] = [tx.nonce, tx.gasPrice, ...call];
    const { r, s, parity } = sign(encodeRlp([...fields, tx.chainId, 0n, 0n]), tx.from);
    return encodeRlp([...fields, tx.chainId * 2n + 35n + parity, r, s]);
  }
  const prices = tx.type === 'access-list' ? [tx.gasPrice] : [tx.gasPrice, tx.gasPrice];
  const fields: RlpInput[] = [tx.chainId, tx.nonce, ...prices, ...call, []];
  const type = Uint8Array.of(tx.type === 'access-list' ? 1 : 2);
  const { r, s, parity } = sign(concatBytes([type, encodeRlp(fields)]), tx.from);
  return concatBytes([type, encodeRlp([...fields, parity, r, s])]);
}

export interface SignedEthereumTx {
  readonly tx: EthereumTx;
  /** As signEthereumPayload gives it. */
  readonly payload: Uint8Array;
}

/**
 * TxRaw with a MsgEthereumTx {from = 5, raw = 6} each, their extension option, their fees and gas added up, and no
 * signature of its own.
 */
export function wrapEthereumPayloads(txs: readonly SignedEthereumTx[]): Uint8Array {
  const body = new BinaryWriter();
  let [amount, gasLimit, denom] = [0n, 0n, ''];
  for (const { tx, payload } of txs) {
    const message = new BinaryWriter().tag(5, 2).bytes(tx.from.bytes).tag(6, 2).bytes(payload).finish();
    body.tag(1, 2).bytes(anyBytes({ typeUrl: '/cosmos.evm.vm.v1.MsgEthereumTx', value: message }));
    amount += tx.gasLimit * tx.gasPrice;
    gasLimit += tx.gasLimit;
    denom = tx.gasDenom;
  }
  const extension = { typeUrl: '/cosmos.evm.vm.v1.ExtensionOptionsEthereumTx', value: new Uint8Array() };
  body.tag(1023, 2).bytes(anyBytes(extension));
  const authInfo = new BinaryWriter()
    .tag(2, 2)
    .bytes(feeBytes({ fee: [{ denom, amount }], gasLimit }))
    .finish();
  return new BinaryWriter().tag(1, 2).bytes(body.finish()).tag(2, 2).bytes(authInfo).finish();
}

function sign(bytes: Uint8Array, account: Account): { r: bigint; s: bigint; parity: bigint } {
  const { signature, recovery } = signDigest(keccak256(bytes), account.privateKey);
  const hex = bytesToHex(signature);
  return { r: BigInt(`0x${hex.slice(0, 64)}`), s: BigInt(`0x${hex.slice(64)}`), parity: BigInt(recovery) };
}
