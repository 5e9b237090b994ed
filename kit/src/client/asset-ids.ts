import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '../bytes.ts';
import { keccak256, sha256 } from '../hash.ts';

/** Names derived by hashes (api.md: Asset, Kind; modules.md, section 1). An asset id enters as its 32 raw bytes. */

/** sha256(<ns>"/asset/v1" ‖ issuer ‖ uint64_be(nonce)), as 64 hex digits; nonce = assets the issuer created before. */
export function assetIdOf(namespace: string, issuer: Uint8Array, nonce: bigint): string {
  const number = Buffer.alloc(8);
  number.writeBigUInt64BE(nonce);
  return bytesToHex(sha256(concatBytes([utf8ToBytes(`${namespace}/asset/v1`), issuer, number])));
}

/** Where the EVM has the asset's bundle: the last 20 bytes of keccak256(<ns>"/bundle/v1" ‖ asset_id). */
export function bundleAddressOf(namespace: string, assetId: string): Uint8Array {
  return lastTwenty([utf8ToBytes(`${namespace}/bundle/v1`), rawId(assetId)]);
}

/** Where the EVM has a kind: the last 20 bytes of keccak256(<ns>"/right/v1" ‖ asset_id ‖ uint32_be(kind_id)). */
export function rightAddressOf(namespace: string, assetId: string, kindId: number): Uint8Array {
  const number = Buffer.alloc(4);
  number.writeUInt32BE(kindId);
  return lastTwenty([utf8ToBytes(`${namespace}/right/v1`), rawId(assetId), number]);
}

function lastTwenty(parts: readonly Uint8Array[]): Uint8Array {
  return keccak256(concatBytes(parts)).slice(12);
}

function rawId(assetId: string): Uint8Array {
  const bytes = hexToBytes(assetId);
  if (bytes?.length !== 32) throw new RangeError(`no asset id: ${assetId}`);
  return bytes;
}
