import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base64, hex } from '@scure/base';
import type { Message } from './json.ts';

/** A key of eth_secp256k1: its account is the one that the EVM knows, and it signs Keccak-256 digests. */
export interface BurnerKey {
  /** 64 hex digits. */
  readonly privateKey: string;
  /** 20 bytes: the last of Keccak-256 of the point. */
  readonly account: Uint8Array;
  /** As an Any. */
  readonly publicKey: Message;
  /** 64 bytes, r and s, s in the lower half of the order; the same for the same bytes (RFC 6979). */
  sign(bytes: Uint8Array): Uint8Array;
}

/** The Any of a public key of 33 bytes. */
export function publicKeyOf(bytes: Uint8Array): Message {
  return { '@type': '/cosmos.evm.crypto.v1.ethsecp256k1.PubKey', key: base64.encode(bytes) };
}

/** `random` fills bytes as crypto.getRandomValues does. */
export function newBurnerKey(random: (bytes: Uint8Array) => void): BurnerKey {
  // one of 2^128 is no key
  for (let i = 0; i < 8; i++) {
    const bytes = new Uint8Array(32);
    random(bytes);
    const key = burnerKeyOf(hex.encode(bytes));
    if (key !== undefined) return key;
  }
  throw new Error('the source of randomness gives no key');
}

/** Of 64 hex digits, with or without 0x; undefined for what is no private key. */
export function burnerKeyOf(text: string): BurnerKey | undefined {
  const [, digits] = /^\s*(?:0x)?([0-9a-fA-F]{64})\s*$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const secret = hex.decode(digits.toLowerCase());
  if (!secp256k1.utils.isValidSecretKey(secret)) return undefined;
  return {
    privateKey: digits.toLowerCase(),
    account: keccak_256(secp256k1.getPublicKey(secret, false).subarray(1)).slice(12),
    publicKey: publicKeyOf(secp256k1.getPublicKey(secret, true)),
    // the digest is made here: the curve must not hash it again
    sign: (bytes) => secp256k1.sign(keccak_256(bytes), secret, { prehash: false, lowS: true }),
  };
}
