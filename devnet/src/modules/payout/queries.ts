import { sdkError } from 'strata-kit/chain-error';
import type { JsonObject } from 'strata-kit/proto-json';
import type { QueryHandler } from '../../app/module.ts';
import type { Reader } from '../../state/state.ts';
import { assets, getAsset } from '../asset/keeper.ts';
import type { Asset } from '../asset/records.ts';
import { fieldsOf } from '../fields.ts';
import { kindKey } from '../rights/positions.ts';
import { ownHolders, ownPlace, SCALE, sumClaimable } from './bases.ts';
import { payoutError } from './codes.ts';
import { claimables } from './keeper.ts';
import { type Accrual, accruals, OWN, ROUTED, routesOf } from './records.ts';

/** By kind and denom, with what all may claim, the carry and the floors' residue (modules.md, rule 5). */
const accrualsQuery: QueryHandler = (reader, request, { parameters }) => {
  const asset = assetOf(reader, fieldsOf(request, parameters.hrp, payoutError).assetId());
  return { accruals: accruals(reader, asset.id).map((of) => accrualJson(reader, asset.id, of)) };
};

/** Of one asset, or of all. */
const claimableQuery: QueryHandler = (reader, request, { parameters }) => {
  const fields = fieldsOf(request, parameters.hrp, payoutError);
  const address = fields.address('address');
  const of = fields.text('asset_id') === '' ? assets(reader) : [assetOf(reader, fields.assetId())];
  return {
    entries: of.flatMap(({ id, kinds }) =>
      kinds.flatMap(({ kindId }) =>
        claimables(reader, id, kindId, address).map((entry) => ({
          routed_from: entry.routedFrom,
          ref: entry.ref,
          asset_id: id,
          kind_id: kindId,
          denom: entry.denom,
          pending: String(entry.pending),
          accrued: String(entry.accrued),
          total: String(entry.total),
        })),
      ),
    ),
  };
};

/** Also the shape of the module's genesis, which takes units of own bases from the rights. */
const exportQuery: QueryHandler = (reader) => {
  const all = assets(reader);
  return {
    accruals: all.flatMap(({ id }) => accruals(reader, id).map((of) => accrualJson(reader, id, of))),
    bases: all.flatMap(({ id, kinds }) => kinds.flatMap(({ kindId }) => basesOf(reader, id, kindId))),
  };
};

function accrualJson(reader: Reader, assetId: string, of: Accrual): JsonObject {
  const moduleHeld = of.totalDistributed - of.totalPaid;
  const claimable = sumClaimable(reader, assetId, of);
  const carry = of.carryScaled / SCALE;
  return {
    asset_id: assetId,
    kind_id: of.kindId,
    denom: of.denom,
    index: String(of.index),
    carry_scaled: String(of.carryScaled),
    total_distributed: String(of.totalDistributed),
    total_paid: String(of.totalPaid),
    distributions_count: String(of.distributions),
    module_held: String(moduleHeld),
    sum_claimable: String(claimable),
    carry: String(carry),
    residue: String(moduleHeld - claimable - carry),
  };
}

/** Own bases by holder, then routes, ended ones too; with what each denom has settled. */
function basesOf(reader: Reader, assetId: string, kindId: number): JsonObject[] {
  const settled = (records: typeof OWN, name: string) =>
    accruals(reader, assetId, kindId).flatMap(({ denom }) => {
      const found = reader.get(records, `${kindKey(assetId, kindId)}|${denom}|${name}`);
      return found === undefined
        ? []
        : [{ denom, last_index: String(found.lastIndex), accrued: String(found.accrued) }];
    });
  const own = ownHolders(reader, assetId, kindId).map((holder) => ({
    asset_id: assetId,
    kind_id: kindId,
    holder,
    ref: '',
    beneficiary: '',
    units: String(ownPlace(reader, assetId, kindId, holder).units),
    accruals: settled(OWN, holder),
  }));
  const routed = [...routesOf(reader, assetId, kindId)].map(({ holder, ref, beneficiary, units }) => ({
    asset_id: assetId,
    kind_id: kindId,
    holder,
    ref,
    beneficiary,
    units: String(units),
    accruals: settled(ROUTED, ref),
  }));
  return [...own, ...routed];
}

function assetOf(reader: Reader, assetId: string): Asset {
  const asset = getAsset(reader, assetId);
  if (asset === undefined) throw sdkError('notFound', `asset ${assetId}: not found`);
  return asset;
}

export const payoutQueries: Readonly<Record<string, QueryHandler>> = {
  '/<ns>.payout.v1.Query/Accruals': accrualsQuery,
  '/<ns>.payout.v1.Query/Claimable': claimableQuery,
  '/<ns>.payout.v1.Query/Export': exportQuery,
};
