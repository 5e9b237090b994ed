/** Cosmos txs by the encoders of cosmjs. Signatures are filler: an indexer does not verify them. */

import { makeAuthInfoBytes } from '@cosmjs/proto-signing';
import { MsgMultiSend, MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx';
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import { Any } from 'cosmjs-types/google/protobuf/any';
import { getBytes } from 'ethers';
import type { Coin } from '../oracle.ts';
import type { Actor } from './actors.ts';

export interface TxOptions {
  readonly signers?: readonly Actor[];
  readonly fee?: readonly Coin[];
  readonly payer?: string;
  readonly granter?: string;
  readonly memo?: string;
  /** Type URLs of extension options without content. */
  readonly extensions?: readonly string[];
}

export const SEND_URL = '/cosmos.bank.v1beta1.MsgSend';
export const MULTI_SEND_URL = '/cosmos.bank.v1beta1.MsgMultiSend';

export function any(typeUrl: string, value: Uint8Array): Any {
  return Any.fromPartial({ typeUrl, value });
}

export function send(from: string, to: string, amount: readonly Coin[]): Any {
  return any(SEND_URL, MsgSend.encode({ fromAddress: from, toAddress: to, amount: [...amount] }).finish());
}

export function multiSend(
  inputs: readonly { readonly address: string; readonly coins: readonly Coin[] }[],
  outputs: readonly { readonly address: string; readonly coins: readonly Coin[] }[],
): Any {
  const mutable = (list: typeof inputs) => list.map(({ address, coins }) => ({ address, coins: [...coins] }));
  const message = MsgMultiSend.fromPartial({ inputs: mutable(inputs), outputs: mutable(outputs) });
  return any(MULTI_SEND_URL, MsgMultiSend.encode(message).finish());
}

export function bodyBytes(messages: readonly Any[], options: TxOptions = {}): Uint8Array {
  const body = TxBody.fromPartial({
    messages: [...messages],
    memo: options.memo ?? '',
    extensionOptions: (options.extensions ?? []).map((typeUrl) => any(typeUrl, new Uint8Array())),
  });
  return TxBody.encode(body).finish();
}

export function authInfoBytes(options: TxOptions = {}): Uint8Array {
  const signers = (options.signers ?? []).map((signer) => ({ pubkey: publicKey(signer), sequence: 7 }));
  return makeAuthInfoBytes(signers, options.fee ?? [], 200_000, options.granter, options.payer);
}

export function cosmosTx(messages: readonly Any[], options: TxOptions = {}): Uint8Array {
  return rawTx(bodyBytes(messages, options), authInfoBytes(options), options.signers?.length ?? 0);
}

export function rawTx(body: Uint8Array, authInfo: Uint8Array, signatureCount: number): Uint8Array {
  const signatures = Array.from({ length: signatureCount }, () => new Uint8Array(64).fill(9));
  return TxRaw.encode({ bodyBytes: body, authInfoBytes: authInfo, signatures }).finish();
}

/** ethsecp256k1.PubKey {bytes key = 1}. */
function publicKey(actor: Actor): Any {
  const key = getBytes(actor.key.compressedPublicKey);
  return any('/cosmos.evm.crypto.v1.ethsecp256k1.PubKey', Uint8Array.from([0x0a, key.length, ...key]));
}
