import { randomBytes } from 'node:crypto';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { encodeBech32, toChecksumAddress } from '../address.ts';
import { utf8ToBytes } from '../bytes.ts';
import { keccak256, sha256 } from '../hash.ts';
import type { JsonObject } from '../proto-json.ts';
import { isPrivateKey, pointOf, publicKeyOf, signDigest, verifyDigest } from '../secp256k1.ts';
import { inputError } from './errors.ts';

/** Keys of accounts. Those of eth_secp256k1 have the address that the EVM knows, and sign Keccak-256 digests. */

export const KEY_ALGORITHMS = ['secp256k1', 'eth_secp256k1'] as const;
export type KeyAlgorithm = (typeof KEY_ALGORITHMS)[number];

export interface Key {
  readonly algorithm: KeyAlgorithm;
  /** 32 bytes. */
  readonly privateKey: Uint8Array;
  /** Compressed, 33 bytes. */
  readonly publicKey: Uint8Array;
  /** 20 bytes. */
  readonly address: Uint8Array;
}

export const PUBLIC_KEY_TYPES: Readonly<Record<KeyAlgorithm, string>> = {
  secp256k1: '/cosmos.crypto.secp256k1.PubKey',
  eth_secp256k1: '/cosmos.evm.crypto.v1.ethsecp256k1.PubKey',
};

/** Errors: input for what is no private key of secp256k1. */
export function keyOf(algorithm: KeyAlgorithm, privateKey: Uint8Array): Key {
  if (!isPrivateKey(privateKey)) {
    throw inputError('a private key is 32 bytes below the order of secp256k1, and not zero');
  }
  const publicKey = publicKeyOf(privateKey);
  return { algorithm, privateKey, publicKey, address: addressBytes(algorithm, publicKey) };
}

/** The key whose private part is the SHA-256 of a text, or of `<text>/<index>`: the same on every machine. */
export function keyFromSeed(algorithm: KeyAlgorithm, seed: string, index?: number): Key {
  return keyOf(algorithm, sha256(utf8ToBytes(index === undefined ? seed : `${seed}/${index}`)));
}

export function randomKey(algorithm: KeyAlgorithm): Key {
  return keyOf(algorithm, randomBytes(32));
}

/** The last 20 bytes of Keccak-256 of the point, or RIPEMD-160 of SHA-256 of the compressed key. */
export function addressBytes(algorithm: KeyAlgorithm, publicKey: Uint8Array): Uint8Array {
  if (algorithm === 'secp256k1') return ripemd160(sha256(publicKey));
  return keccak256(pointOf(publicKey)).slice(12);
}

export function bech32Of(hrp: string, { address }: Pick<Key, 'address'>): string {
  return encodeBech32(hrp, address);
}

/** EIP-55. The account of a secp256k1 key has such a name too, but no Ethereum tx can come from it. */
export function evmAddressOf({ address }: Pick<Key, 'address'>): string {
  return toChecksumAddress(address);
}

/** As an Any. */
export function publicKeyJson({ algorithm, publicKey }: Pick<Key, 'algorithm' | 'publicKey'>): JsonObject {
  return { '@type': PUBLIC_KEY_TYPES[algorithm], key: Buffer.from(publicKey).toString('base64') };
}

/** 64 bytes, r and s, s in the lower half of the order. */
export function signBytes(
  { algorithm, privateKey }: Pick<Key, 'algorithm' | 'privateKey'>,
  bytes: Uint8Array,
): Uint8Array {
  return signDigest(digestOf(algorithm, bytes), privateKey).signature;
}

export function isSignatureOf(
  { algorithm, publicKey }: Pick<Key, 'algorithm' | 'publicKey'>,
  bytes: Uint8Array,
  signature: Uint8Array,
): boolean {
  return verifyDigest(signature, digestOf(algorithm, bytes), publicKey);
}

/** What a key signs of these bytes: SHA-256, or Keccak-256. */
export function digestOf(algorithm: KeyAlgorithm, bytes: Uint8Array): Uint8Array {
  return algorithm === 'secp256k1' ? sha256(bytes) : keccak256(bytes);
}
