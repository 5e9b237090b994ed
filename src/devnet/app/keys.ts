import { ripemd160 } from '@noble/hashes/legacy.js';
import { LRUCache } from 'lru-cache';
import secp256k1 from 'secp256k1';
import { encodeBech32 } from '../../core/address.ts';
import { hexToBytes } from '../../core/bytes.ts';
import { keccak256, sha256 } from '../../core/hash.ts';
import type { PublicKey } from '../modules/auth/keeper.ts';
import { sdkError } from './errors.ts';

/** The keys that sign txs, by the type URLs of their public keys. */

const KINDS: Readonly<
  Record<string, { readonly gas: number; readonly location: string; readonly isEthereum: boolean }>
> = {
  '/cosmos.crypto.secp256k1.PubKey': {
    gas: 1_000,
    location: 'ante verify: secp256k1',
    isEthereum: false,
  },
  '/cosmos.evm.crypto.v1.ethsecp256k1.PubKey': {
    gas: 21_000,
    location: 'ante verify: eth_secp256k1',
    isEthereum: true,
  },
};

const NO_BYTES = new Uint8Array(0);
const addresses = new LRUCache<string, Uint8Array>({ max: 10_000 });

/** What verifying a signature costs. Errors: sdk/8 for a key of another kind. */
export function signatureGas({ typeUrl }: PublicKey): { readonly gas: number; readonly location: string } {
  return kindOf(typeUrl);
}

/** Bech32. Errors: sdk/8 for bytes that are no key. */
export function addressOf(hrp: string, publicKey: PublicKey): string {
  const cacheKey = `${publicKey.typeUrl} ${publicKey.key}`;
  let bytes = addresses.get(cacheKey);
  if (bytes === undefined) {
    bytes = addressBytes(publicKey);
    addresses.set(cacheKey, bytes);
  }
  return encodeBech32(hrp, bytes);
}

/** Whether the 64 bytes (r and s, s in the lower half) are a signature of these bytes. */
export function verifySignature(publicKey: PublicKey, signature: Uint8Array, signed: Uint8Array): boolean {
  // ethsecp256k1 signatures may carry their recovery id
  const { isEthereum } = kindOf(publicKey.typeUrl);
  const compact = isEthereum && signature.length === 65 ? signature.subarray(0, 64) : signature;
  if (compact.length !== 64) return false;
  const digest = isEthereum ? keccak256(signed) : sha256(signed);
  try {
    // its bytes were found to be a point when the account took the key
    return secp256k1.ecdsaVerify(compact, digest, hexToBytes(publicKey.key) ?? NO_BYTES);
  } catch {
    // r or s beyond the curve's order, or no point: no signature
    return false;
  }
}

function addressBytes(publicKey: PublicKey): Uint8Array {
  const key = keyBytes(publicKey);
  if (!kindOf(publicKey.typeUrl).isEthereum) return ripemd160(sha256(key));
  return keccak256(secp256k1.publicKeyConvert(key, false).subarray(1)).subarray(12);
}

function keyBytes({ key }: PublicKey): Uint8Array {
  const bytes = hexToBytes(key);
  if (bytes === undefined || bytes.length !== 33 || !secp256k1.publicKeyVerify(bytes))
    throw sdkError('invalidPubKey', 'public key is no point of secp256k1: invalid pubkey');
  return bytes;
}

function kindOf(typeUrl: string) {
  const kind = KINDS[typeUrl];
  if (kind === undefined)
    throw sdkError('invalidPubKey', `unrecognized public key type ${typeUrl}: invalid pubkey`);
  return kind;
}
