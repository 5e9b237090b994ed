import { bytesToHex } from 'strata-kit/bytes';
import { bundleAddressOf, rightAddressOf } from 'strata-kit/client/asset-ids';
import type { Context } from '../../app/module.ts';
import type { Reader } from '../../state/state.ts';
import { assetError } from './codes.ts';
import {
  ASSETS,
  type Asset,
  type AssetStatus,
  type Kind,
  NONCES,
  type Policy,
  TOKENS,
  type Token,
} from './records.ts';

export function getAsset(reader: Reader, assetId: string): Asset | undefined {
  return reader.get(ASSETS, assetId);
}

/** Refused as asset/20. */
export function requireAsset(context: Context, assetId: string): Asset {
  const asset = getAsset(context.state, assetId);
  if (asset === undefined) throw assetError('unknownAsset', `unknown asset ${assetId}`);
  return asset;
}

/** Refused as asset/21. */
export function requireKind(asset: Asset, kindId: number): Kind {
  const kind = asset.kinds[kindId];
  if (kind === undefined) throw assetError('unknownKind', `asset ${asset.id} has no kind ${kindId}`);
  return kind;
}

/** Refused as asset/22 while the asset is LIQUIDATING or LIQUIDATED. `what` names the operation: `Issue`. */
export function requireActive(asset: Asset, what: string): void {
  if (asset.status !== 'ASSET_STATUS_ACTIVE')
    throw assetError('notActive', `${what} is refused: asset ${asset.id} is ${asset.status}`);
}

export function putAsset(context: Context, asset: Asset): void {
  context.state.set(ASSETS, asset.id, asset);
}

/** Emits EventAssetStatusSet. */
export function setStatus(context: Context, assetId: string, status: AssetStatus): void {
  putAsset(context, { ...requireAsset(context, assetId), status });
  context.emit('asset.EventAssetStatusSet', { asset_id: assetId, status });
}

/** The kind's override where it has one, else the asset's. */
export function effectivePolicy(asset: Asset, kind: Kind): Policy {
  return kind.policyOverride ?? asset.policy;
}

/** The kinds of which a bundle holds a unit each; all have the same decimals. */
export function bundleKinds(asset: Asset): Kind[] {
  return asset.kinds.filter(({ bundle }) => bundle);
}

/** Whether a denom may be distributed: the settlement denom always. */
export function mayDistribute(asset: Asset, denom: string): boolean {
  return denom === asset.settlementDenom || asset.distributionDenoms.includes(denom);
}

/** Which kind, or bundle, lives at an address of the EVM (20 bytes). */
export function tokenAt(reader: Reader, address: Uint8Array): Token | undefined {
  return reader.get(TOKENS, bytesToHex(address));
}

/** Makes an asset's tokens known by their addresses. */
export function registerTokens(context: Context, asset: Asset): void {
  const { namespace } = context.parameters;
  context.state.set(TOKENS, bytesToHex(bundleAddressOf(namespace, asset.id)), {
    assetId: asset.id,
    kindId: null,
  });
  for (const { kindId } of asset.kinds)
    context.state.set(TOKENS, bytesToHex(rightAddressOf(namespace, asset.id, kindId)), {
      assetId: asset.id,
      kindId,
    });
}

/** Assets that the account has created: the nonce of its next one. */
export function nextNonce(reader: Reader, issuer: string): bigint {
  return reader.get(NONCES, issuer) ?? 0n;
}

/** Every asset, by id. */
export function assets(reader: Reader): Asset[] {
  return [...reader.entries(ASSETS)].map(([, asset]) => asset);
}
