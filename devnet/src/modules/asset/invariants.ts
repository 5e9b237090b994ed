import { bytesToHex } from 'strata-kit/bytes';
import { bundleAddressOf, rightAddressOf } from 'strata-kit/client/asset-ids';
import type { ChainParameters } from '../../app/parameters.ts';
import type { Reader } from '../../state/state.ts';
import { assets, bundleKinds, nextNonce, tokenAt } from './keeper.ts';
import type { Asset } from './records.ts';

/** Nonces count the assets, kinds are numbered by place, a bundle has one decimals, and every token is found. */
export function assetInvariants(reader: Reader, parameters: ChainParameters): string[] {
  const created = new Map<string, bigint>();
  const wrong: string[] = [];
  for (const asset of assets(reader)) {
    created.set(asset.issuer, (created.get(asset.issuer) ?? 0n) + 1n);
    if (asset.kinds.some(({ kindId }, place) => kindId !== place))
      wrong.push(`asset ${asset.id}: kinds are not numbered by their places`);
    if (new Set(bundleKinds(asset).map(({ decimals }) => decimals)).size > 1)
      wrong.push(`asset ${asset.id}: bundle kinds of different decimals`);
    wrong.push(...tokensOf(reader, parameters, asset));
  }
  for (const [issuer, count] of created) {
    const next = nextNonce(reader, issuer);
    if (next !== count) wrong.push(`asset: ${issuer} has created ${count} assets, its next nonce is ${next}`);
  }
  return wrong;
}

function tokensOf(reader: Reader, { namespace }: ChainParameters, asset: Asset): string[] {
  const tokens = [
    { kindId: null, address: bundleAddressOf(namespace, asset.id) },
    ...asset.kinds.map(({ kindId }) => ({ kindId, address: rightAddressOf(namespace, asset.id, kindId) })),
  ];
  return tokens
    .filter(({ kindId, address }) => {
      const token = tokenAt(reader, address);
      return token?.assetId !== asset.id || token.kindId !== kindId;
    })
    .map(({ address }) => `asset ${asset.id}: no token at ${bytesToHex(address)}`);
}
