import type { Codec } from '../codec/codec.ts';
import type { Json, JsonObject } from '../proto-json.ts';
import { queryChain } from './accounts.ts';
import { assetIdOf } from './asset-ids.ts';
import { bech32Of, type Key } from './keys.ts';
import type { Node } from './node.ts';

/** Stands for the id of the asset that the same tx creates. */
export const NEW_ASSET = '@asset';

/** The id of the asset that an issuer has created after `nonce` others. */
export function issuedAssetId(namespace: string, issuer: Pick<Key, 'address'>, nonce: bigint): string {
  return assetIdOf(namespace, issuer.address, nonce);
}

/** The messages with the id that the tx's first create-asset will give in place of `@asset`. */
export async function withNewAsset(
  codec: Codec,
  node: Node,
  messages: readonly JsonObject[],
  key: Key,
  hrp: string,
): Promise<readonly JsonObject[]> {
  if (!messages.some(mentions)) return messages;
  const path = `/${codec.namespace}.asset.v1.Query/NextNonce`;
  const { next_nonce } = await queryChain(codec, node, path, { issuer: bech32Of(hrp, key) });
  const id = assetIdOf(codec.namespace, key.address, BigInt(String(next_nonce)));
  return messages.map((message) => replaced(message, id) as JsonObject);
}

function mentions(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return value === NEW_ASSET;
  return Object.values(value).some(mentions);
}

function replaced(value: Json, id: string): Json {
  if (value === NEW_ASSET) return id;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one: Json) => replaced(one, id));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replaced(one as Json, id)]));
}
