import { toChecksumAddress } from 'strata-kit/address';
import { sdkError } from 'strata-kit/chain-error';
import { bundleAddressOf, rightAddressOf } from 'strata-kit/client/asset-ids';
import type { JsonObject } from 'strata-kit/proto-json';
import type { QueryHandler } from '../../app/module.ts';
import type { Reader } from '../../state/state.ts';
import { assets, getAsset } from '../asset/keeper.ts';
import type { Asset } from '../asset/records.ts';
import { fieldsOf } from '../fields.ts';
import { rightsError } from './codes.ts';
import { holders, kindKey, LOCKS, position, supply } from './positions.ts';

/** supply is the counter; positions and encumbered are added up, so that a wrong counter shows. */
const totals: QueryHandler = (reader, request, { parameters }) => {
  const { asset, kindId } = kindOf(reader, request, parameters.hrp);
  let [positions, encumbered] = [0n, 0n];
  for (const { units } of holders(reader, asset.id, kindId)) positions += units;
  for (const [, units] of reader.entries(LOCKS, `${kindKey(asset.id, kindId)}|`)) encumbered += units;
  return {
    supply: String(supply(reader, asset.id, kindId)),
    positions: String(positions),
    encumbered: String(encumbered),
  };
};

/** The bundle first, without a kind_id, then the kinds. An asset without bundle kinds has its bundle's address too. */
const tokens: QueryHandler = (reader, request, { parameters }) => {
  const { namespace, hrp } = parameters;
  const asset = assetOf(reader, request, hrp);
  const bundle = { bundle: true, address: toChecksumAddress(bundleAddressOf(namespace, asset.id)) };
  const kinds = asset.kinds.map(({ kindId }) => ({
    kind_id: kindId,
    bundle: false,
    address: toChecksumAddress(rightAddressOf(namespace, asset.id, kindId)),
  }));
  return { tokens: [bundle, ...kinds] };
};

const positionQuery: QueryHandler = (reader, request, { parameters }) => {
  const { asset, kindId } = kindOf(reader, request, parameters.hrp);
  const holder = fieldsOf(request, parameters.hrp, rightsError).address('holder');
  return { position: positionJson(reader, asset.id, kindId, holder) };
};

const holdersQuery: QueryHandler = (reader, request, { parameters }) => {
  const { asset, kindId } = kindOf(reader, request, parameters.hrp);
  return { positions: positionsOf(reader, asset.id, kindId) };
};

/** Also the shape of the module's genesis. A kind that was never issued has no supply here. */
const exportQuery: QueryHandler = (reader) => {
  const kinds = assets(reader).flatMap(({ id, kinds }) => kinds.map(({ kindId }) => ({ id, kindId })));
  return {
    positions: kinds.flatMap(({ id, kindId }) => positionsOf(reader, id, kindId)),
    supplies: kinds.map(({ id, kindId }) => ({
      asset_id: id,
      kind_id: kindId,
      supply: String(supply(reader, id, kindId)),
    })),
  };
};

function positionsOf(reader: Reader, assetId: string, kindId: number): JsonObject[] {
  const addresses = [...holders(reader, assetId, kindId)].map(({ holder }) => holder);
  return addresses.map((holder) => positionJson(reader, assetId, kindId, holder));
}

function positionJson(reader: Reader, assetId: string, kindId: number, holder: string): JsonObject {
  const { units, locks } = position(reader, assetId, kindId, holder);
  return {
    asset_id: assetId,
    kind_id: kindId,
    holder,
    units: String(units),
    locks: locks.map((lock) => ({ ref: lock.ref, units: String(lock.units) })),
  };
}

function assetOf(reader: Reader, request: JsonObject, hrp: string): Asset {
  const id = fieldsOf(request, hrp, rightsError).assetId();
  const asset = getAsset(reader, id);
  if (asset === undefined) throw sdkError('notFound', `asset ${id}: not found`);
  return asset;
}

function kindOf(
  reader: Reader,
  request: JsonObject,
  hrp: string,
): { readonly asset: Asset; readonly kindId: number } {
  const asset = assetOf(reader, request, hrp);
  const kindId = fieldsOf(request, hrp, rightsError).small('kind_id');
  if (asset.kinds[kindId] === undefined)
    throw sdkError('notFound', `kind ${kindId} of asset ${asset.id}: not found`);
  return { asset, kindId };
}

export const rightsQueries: Readonly<Record<string, QueryHandler>> = {
  '/<ns>.rights.v1.Query/Totals': totals,
  '/<ns>.rights.v1.Query/Tokens': tokens,
  '/<ns>.rights.v1.Query/Position': positionQuery,
  '/<ns>.rights.v1.Query/Holders': holdersQuery,
  '/<ns>.rights.v1.Query/Export': exportQuery,
};
