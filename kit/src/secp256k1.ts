import native from 'secp256k1';

/**
 * The curve of accounts' keys, by the native libsecp256k1. @noble/curves takes 16 times the CPU to sign and
 * 30 times to verify or recover (`npm run bench -- --only devnet-codec`). The pages have no native code and use it: the two
 * make the same signatures (RFC 6979).
 */

/** Whether these are 32 bytes below the curve's order, and not zero. */
export function isPrivateKey(bytes: Uint8Array): boolean {
  return bytes.length === 32 && native.privateKeyVerify(bytes);
}

/** Whether these are 33 bytes that name a point. */
export function isPublicKey(bytes: Uint8Array): boolean {
  return bytes.length === 33 && native.publicKeyVerify(bytes);
}

/** Compressed, 33 bytes. */
export function publicKeyOf(privateKey: Uint8Array): Uint8Array {
  return native.publicKeyCreate(privateKey, true);
}

/** Both coordinates of a compressed key, 64 bytes. */
export function pointOf(publicKey: Uint8Array): Uint8Array {
  return native.publicKeyConvert(publicKey, false).subarray(1);
}

export interface RecoverableSignature {
  /** r and s, 64 bytes, s in the lower half of the order. */
  readonly signature: Uint8Array;
  /** 0 or 1. */
  readonly recovery: number;
}

export function signDigest(digest: Uint8Array, privateKey: Uint8Array): RecoverableSignature {
  const { signature, recid } = native.ecdsaSign(digest, privateKey);
  return { signature, recovery: recid };
}

/** Refuses an s in the upper half. Throws where r or s is not below the order, or the key is no point. */
export function verifyDigest(signature: Uint8Array, digest: Uint8Array, publicKey: Uint8Array): boolean {
  return native.ecdsaVerify(signature, digest, publicKey);
}

/** The point whose key made the signature, 64 bytes. Takes an s in the upper half. Throws where there is none. */
export function recoverPoint(signature: Uint8Array, recovery: number, digest: Uint8Array): Uint8Array {
  return native.ecdsaRecover(signature, recovery, digest, false).subarray(1);
}
