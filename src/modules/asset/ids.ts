import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from 'strata-kit/bytes';
import { keccak256, sha256 } from 'strata-kit/hash';

/** Names derived by hashes (api.md: Asset, Kind). An asset id enters as its 32 raw bytes. */

/** sha256(namespace"/asset/v1" ‖ issuer ‖ uint64_be(nonce)), as 64 hex digits; nonce = assets the issuer created before. */
export function assetIdOf(namespace: string, issuer: Uint8Array, nonce: bigint): string {
  const number = Buffer.alloc(8);
  number.writeBigUInt64BE(BigInt.asUintN(64, nonce));
  return bytesToHex(sha256(concatBytes([utf8ToBytes(`${namespace}/asset/v1`), issuer, number])));
}

/** Where the EVM has an asset's bundle: the last 20 bytes of keccak256(namespace"/bundle/v1" ‖ asset id). */
export function bundleAddressOf(namespace: string, assetId: string): Uint8Array {
  return addressOf(concatBytes([utf8ToBytes(`${namespace}/bundle/v1`), idBytes(assetId)]));
}

/** Where the EVM has a kind: the last 20 bytes of keccak256(namespace"/right/v1" ‖ asset id ‖ uint32_be(kind id)). */
export function rightAddressOf(namespace: string, assetId: string, kindId: number): Uint8Array {
  const number = Buffer.alloc(4);
  number.writeUInt32BE(kindId);
  return addressOf(concatBytes([utf8ToBytes(`${namespace}/right/v1`), idBytes(assetId), number]));
}

function addressOf(preimage: Uint8Array): Uint8Array {
  return keccak256(preimage).slice(12);
}

/** Of 64 hex digits, which is what events.ts lets through. */
function idBytes(assetId: string): Uint8Array {
  return hexToBytes(assetId) ?? new Uint8Array(32);
}
