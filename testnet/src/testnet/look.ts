import { canonicalAccount } from 'strata-kit/address';
import type { Key } from 'strata-kit/client/keys';
import { issuedAssetId } from 'strata-kit/client/new-asset';
import type { JsonObject } from 'strata-kit/proto-json';
import type { Chain } from '../chain.ts';

/** What there is already, by the chain itself. */

export async function balanceOf(chain: Chain, address: string, denom: string): Promise<bigint> {
  const { balance } = await chain.query('/cosmos.bank.v1beta1.Query/Balance', { address, denom });
  return BigInt(String((balance as JsonObject | null)?.amount ?? 0));
}

/** Assets that somebody may have issued beside these. */
const MOST_ASSETS = 100n;

/** The first asset of an issuer that has this document. */
export async function assetWith(
  chain: Chain,
  issuer: Key,
  address: string,
  metaHash: string,
): Promise<string | undefined> {
  const { namespace } = chain.facts;
  const { next_nonce } = await chain.query(`/${namespace}.asset.v1.Query/NextNonce`, { issuer: address });
  const count = BigInt(String(next_nonce));
  for (let nonce = 0n; nonce < count && nonce < MOST_ASSETS; nonce++) {
    const asset_id = issuedAssetId(namespace, issuer, nonce);
    const { asset } = await chain.query(`/${namespace}.asset.v1.Query/Asset`, { asset_id });
    const { meta_hash } = asset as JsonObject;
    if (Buffer.from(String(meta_hash), 'base64').toString('hex') === metaHash) return asset_id;
  }
  return undefined;
}

/** EIP-55. */
export async function bundleToken(chain: Chain, assetId: string): Promise<string> {
  const path = `/${chain.facts.namespace}.rights.v1.Query/Tokens`;
  const { tokens } = await chain.query(path, { asset_id: assetId });
  const bundle = (tokens as readonly JsonObject[]).find((token) => token.bundle === true);
  return String(bundle?.address);
}

/** Whether a pair holds units and coins, as one does that has had its first liquidity. */
export async function hasPool(chain: Chain, assetId: string, pair: string): Promise<boolean> {
  const { namespace, hrp, stableDenom } = chain.facts;
  const holder = canonicalAccount(pair, hrp) ?? '';
  const path = `/${namespace}.rights.v1.Query/Position`;
  const { position } = await chain.query(path, { asset_id: assetId, kind_id: 0, holder });
  const units = BigInt(String((position as JsonObject | null)?.units ?? 0));
  return units > 0n && (await balanceOf(chain, holder, stableDenom)) > 0n;
}
