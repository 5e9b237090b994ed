import { sdkError } from 'strata-kit/chain-error';
import type { QueryHandler } from '../../app/module.ts';
import { assetFields } from './input.ts';
import { assetJson } from './json.ts';
import { assets, getAsset, nextNonce } from './keeper.ts';
import { NONCES } from './records.ts';

const nextNonceQuery: QueryHandler = (reader, request, { parameters }) => ({
  next_nonce: String(nextNonce(reader, assetFields(request, parameters.hrp).address('issuer'))),
});

const assetQuery: QueryHandler = (reader, request, { parameters }) => {
  const id = assetFields(request, parameters.hrp).assetId();
  const asset = getAsset(reader, id);
  if (asset === undefined) throw sdkError('notFound', `asset ${id}: not found`);
  return { asset: assetJson(asset) };
};

/** Also the shape of the module's genesis. */
const exportQuery: QueryHandler = (reader) => ({
  assets: assets(reader).map(assetJson),
  nonces: [...reader.entries(NONCES)].map(([issuer, nonce]) => ({ issuer, next_nonce: String(nonce) })),
});

export const assetQueries: Readonly<Record<string, QueryHandler>> = {
  '/<ns>.asset.v1.Query/NextNonce': nextNonceQuery,
  '/<ns>.asset.v1.Query/Asset': assetQuery,
  '/<ns>.asset.v1.Query/Export': exportQuery,
};
