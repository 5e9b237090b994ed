import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { hex } from '@scure/base';

/**
 * The id of an issuer's next asset, known before it is created: sha256(<ns>/asset/v1 ‖ issuer ‖ uint64_be(nonce)), where
 * nonce is the number of assets that the issuer has created before (docs/devnet.md, "Assets").
 */
export function assetIdOf(namespace: string, issuer: Uint8Array, nonce: bigint): string {
  const number = new Uint8Array(8);
  new DataView(number.buffer).setBigUint64(0, nonce);
  return hex.encode(sha256(joined(`${namespace}/asset/v1`, issuer, number)));
}

/** Where the EVM has a kind's units as an ERC-20 token: 20 bytes. */
export function rightTokenOf(namespace: string, assetId: string, kindId: number): Uint8Array {
  const number = new Uint8Array(4);
  new DataView(number.buffer).setUint32(0, kindId);
  return keccak_256(joined(`${namespace}/right/v1`, hex.decode(assetId), number)).slice(12);
}

function joined(text: string, ...parts: readonly Uint8Array[]): Uint8Array {
  const all = [new TextEncoder().encode(text), ...parts];
  const bytes = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of all) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
