import { BinaryWriter } from '@bufbuild/protobuf/wire';
import secp256k1 from 'secp256k1';
import { keccak256, sha256 } from 'strata-kit/hash';
import type { Account } from './accounts.ts';

/** A Cosmos tx in SIGN_MODE_DIRECT (cosmos.tx.v1beta1). Written by hand, since a corpus signs a million of them. */

export interface CosmosTx {
  /** Packed messages. */
  readonly messages: readonly { readonly typeUrl: string; readonly value: Uint8Array }[];
  readonly signers: readonly CosmosSigner[];
  readonly chainId: string;
  readonly fee: { readonly denom: string; readonly amount: bigint } | undefined;
  readonly gasLimit: bigint;
  readonly memo: string;
  /** 0: none. */
  readonly timeoutHeight: bigint;
}

export interface CosmosSigner {
  readonly account: Account;
  readonly accountNumber: bigint;
  readonly sequence: bigint;
}

const SIGN_MODE_DIRECT = 1;
const PUBLIC_KEY_URLS = {
  cosmos: '/cosmos.crypto.secp256k1.PubKey',
  ethereum: '/cosmos.evm.crypto.v1.ethsecp256k1.PubKey',
} as const;

/** TxRaw. Ethereum keys sign the Keccak-256 of the sign bytes, the others their SHA-256. */
export function signCosmosTx(tx: CosmosTx): Uint8Array {
  const body = bodyBytes(tx);
  const authInfo = authInfoBytes(tx);
  const raw = new BinaryWriter().tag(1, 2).bytes(body).tag(2, 2).bytes(authInfo);
  for (const { account, accountNumber } of tx.signers) {
    const signDoc = new BinaryWriter().tag(1, 2).bytes(body).tag(2, 2).bytes(authInfo);
    signDoc.tag(3, 2).string(tx.chainId);
    if (accountNumber > 0n) signDoc.tag(4, 0).uint64(accountNumber);
    const bytes = signDoc.finish();
    const digest = account.kind === 'ethereum' ? keccak256(bytes) : sha256(bytes);
    raw.tag(3, 2).bytes(secp256k1.ecdsaSign(digest, account.privateKey).signature);
  }
  return raw.finish();
}

/** google.protobuf.Any. */
export function anyBytes(typeUrl: string, value: Uint8Array): Uint8Array {
  const writer = new BinaryWriter().tag(1, 2).string(typeUrl);
  if (value.length > 0) writer.tag(2, 2).bytes(value);
  return writer.finish();
}

/** cosmos.tx.v1beta1.Fee without payer and granter. */
export function feeBytes(fee: CosmosTx['fee'], gasLimit: bigint): Uint8Array {
  const writer = new BinaryWriter();
  if (fee !== undefined) {
    const coin = new BinaryWriter().tag(1, 2).string(fee.denom).tag(2, 2).string(String(fee.amount)).finish();
    writer.tag(1, 2).bytes(coin);
  }
  return writer.tag(2, 0).uint64(gasLimit).finish();
}

function bodyBytes({ messages, memo, timeoutHeight }: CosmosTx): Uint8Array {
  const writer = new BinaryWriter();
  for (const { typeUrl, value } of messages) writer.tag(1, 2).bytes(anyBytes(typeUrl, value));
  if (memo !== '') writer.tag(2, 2).string(memo);
  if (timeoutHeight > 0n) writer.tag(3, 0).uint64(timeoutHeight);
  return writer.finish();
}

function authInfoBytes({ signers, fee, gasLimit }: CosmosTx): Uint8Array {
  const writer = new BinaryWriter();
  for (const { account, sequence } of signers) {
    const key = new BinaryWriter().tag(1, 2).bytes(account.publicKey).finish();
    const single = new BinaryWriter().tag(1, 0).int32(SIGN_MODE_DIRECT).finish();
    const info = new BinaryWriter()
      .tag(1, 2)
      .bytes(anyBytes(PUBLIC_KEY_URLS[account.kind], key))
      .tag(2, 2)
      .bytes(new BinaryWriter().tag(1, 2).bytes(single).finish());
    if (sequence > 0n) info.tag(3, 0).uint64(sequence);
    writer.tag(1, 2).bytes(info.finish());
  }
  return writer.tag(2, 2).bytes(feeBytes(fee, gasLimit)).finish();
}
