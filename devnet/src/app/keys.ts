import { LRUCache } from 'lru-cache';
import { encodeBech32 } from 'strata-kit/address';
import { equalBytes, hexToBytes } from 'strata-kit/bytes';
import { sdkError } from 'strata-kit/chain-error';
import { addressBytes, digestOf, type KeyAlgorithm, PUBLIC_KEY_TYPES } from 'strata-kit/client/keys';
import { isPublicKey, pointOf, recoverPoint, verifyDigest } from 'strata-kit/secp256k1';
import type { PublicKey } from '../modules/auth/keeper.ts';

/** The keys that sign txs, by the type URLs of their public keys. */

interface Kind {
  readonly algorithm: KeyAlgorithm;
  readonly gas: number;
  readonly location: string;
}

const KINDS: Readonly<Record<string, Kind>> = {
  [PUBLIC_KEY_TYPES.secp256k1]: {
    algorithm: 'secp256k1',
    gas: 1_000,
    location: 'ante verify: secp256k1',
  },
  [PUBLIC_KEY_TYPES.eth_secp256k1]: {
    algorithm: 'eth_secp256k1',
    gas: 21_000,
    location: 'ante verify: eth_secp256k1',
  },
};

const NO_BYTES = new Uint8Array(0);
const addresses = new LRUCache<string, Uint8Array>({ max: 10_000 });

/** What verifying a signature costs. Errors: sdk/8 for a key of another kind. */
export function signatureGas({ typeUrl }: PublicKey): Pick<Kind, 'gas' | 'location'> {
  return kindOf(typeUrl);
}

/** Bech32. Errors: sdk/8 for bytes that are no key. */
export function addressOf(hrp: string, publicKey: PublicKey): string {
  const cacheKey = `${publicKey.typeUrl} ${publicKey.key}`;
  let bytes = addresses.get(cacheKey);
  if (bytes === undefined) {
    bytes = addressBytes(kindOf(publicKey.typeUrl).algorithm, keyBytes(publicKey));
    addresses.set(cacheKey, bytes);
  }
  return encodeBech32(hrp, bytes);
}

/**
 * Whether a signature is one of these bytes: r and s, 64 bytes, s in the lower half of the order. One of eth_secp256k1 may
 * carry a 65th byte: the recovery id (0 or 1) that recovers this very key. Any other byte would give the same tx more hashes.
 */
export function verifySignature(publicKey: PublicKey, signature: Uint8Array, signed: Uint8Array): boolean {
  const { algorithm } = kindOf(publicKey.typeUrl);
  const hasRecovery = algorithm === 'eth_secp256k1' && signature.length === 65;
  if (signature.length !== 64 && !hasRecovery) return false;
  const compact = signature.subarray(0, 64);
  const digest = digestOf(algorithm, signed);
  // its bytes were found to be a point when the account took the key
  const key = hexToBytes(publicKey.key) ?? NO_BYTES;
  try {
    if (!verifyDigest(compact, digest, key)) return false;
    return !hasRecovery || recovers(compact, signature[64], digest, key);
  } catch {
    // r or s beyond the curve's order, or no point: no signature
    return false;
  }
}

function recovers(
  compact: Uint8Array,
  id: number | undefined,
  digest: Uint8Array,
  publicKey: Uint8Array,
): boolean {
  return (id === 0 || id === 1) && equalBytes(recoverPoint(compact, id, digest), pointOf(publicKey));
}

function keyBytes({ key }: PublicKey): Uint8Array {
  const bytes = hexToBytes(key);
  if (bytes === undefined || !isPublicKey(bytes))
    throw sdkError('invalidPubKey', 'public key is no point of secp256k1: invalid pubkey');
  return bytes;
}

function kindOf(typeUrl: string): Kind {
  const kind = KINDS[typeUrl];
  if (kind === undefined)
    throw sdkError('invalidPubKey', `unrecognized public key type ${typeUrl}: invalid pubkey`);
  return kind;
}
