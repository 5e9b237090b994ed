import { byText, hexOf, type Json, reprintTime, sum } from './history.ts';
import { type Model, only } from './model.ts';

/** Answers of the asset routes, computed from the devnet. */

const bare = (prefix: string, text: string): string => text.replace(prefix, '');

function policyOf({ mode, required_types, attesters }: Json): Json {
  return { mode: bare('POLICY_MODE_', mode), required_types, attesters };
}

export function assetSummary(model: Model, asset: Json): Json {
  const created = only(
    model.told('asset.EventAssetCreated', ({ asset_id }) => asset_id === asset.id),
    asset.id,
  );
  return {
    id: asset.id,
    issuer: asset.issuer,
    status: asset.status,
    kind_count: asset.kinds.length,
    created_height: created.height,
    created_at: created.time,
    issuance_locked: asset.issuance_locked,
    meta_hash: hexOf(asset.meta_hash),
  };
}

export function assetOf(model: Model, asset: Json): Json {
  const { kind_count, created_height, created_at, ...summary } = assetSummary(model, asset);
  const changes = model.history.events.filter(
    ({ type, fields }) => type.startsWith('aeva.asset.v1.') && fields.asset_id === asset.id,
  );
  const created = only(changes, asset.id);
  const bundle = only(
    (model.tokens.get(asset.id) ?? []).filter((token) => token.bundle),
    `the bundle of ${asset.id}`,
  );
  return {
    ...summary,
    policy: policyOf(asset.policy),
    roles: asset.roles,
    settlement_denom: asset.settlement_denom,
    nonce: Number(asset.nonce),
    kind_count,
    liens_allowed: asset.liens_allowed,
    distribution_denoms: asset.distribution_denoms,
    accruals: accrualsOf(model, asset.id),
    created_height,
    created_tx_hash: created.txHash,
    created_at,
    updated_height: Math.max(...changes.map(({ height }) => height)),
    kinds: asset.kinds.map((kind: Json) => kindOf(model, asset, kind)),
    latest_invariant_check: null,
    bundle_address: bundle.address,
  };
}

function kindOf(model: Model, asset: Json, kind: Json): Json {
  const override = asset.policy_overrides.find(({ kind_id }: Json) => kind_id === kind.kind_id)?.policy;
  const supply =
    model.supplies.find(({ asset_id, kind_id }) => asset_id === asset.id && kind_id === kind.kind_id)
      ?.supply ?? '0';
  const token = (model.tokens.get(asset.id) ?? []).find(
    ({ bundle, kind_id }) => !bundle && kind_id === kind.kind_id,
  );
  const multiplier = Number(kind.multiplier);
  return {
    kind_id: kind.kind_id,
    class: bare('KIND_CLASS_', kind.class),
    decimals: kind.decimals,
    bundle: kind.bundle,
    transferable: kind.transferable,
    term:
      (kind.term ?? null) === null
        ? null
        : { starts_at: reprintTime(kind.term.starts_at), ends_at: reprintTime(kind.term.ends_at) },
    multiplier,
    supply,
    effective_supply: { amount: String(BigInt(supply) * BigInt(multiplier)), multiplier },
    bridgeable: kind.bridgeable,
    policy_override: override === undefined ? null : policyOf(override),
    effective_policy: policyOf(override ?? asset.policy),
    policy_source: override === undefined ? 'ASSET' : 'KIND_OVERRIDE',
    holder_count: positionsOf(model, asset.id, kind.kind_id).length,
    tok20_address: token?.address,
  };
}

function accrualsOf(model: Model, assetId: string): Json[] {
  return model.accruals
    .filter(({ asset_id }) => asset_id === assetId)
    .map(({ asset_id, distributions_count, ...accrual }) => ({
      ...accrual,
      distributions_count: Number(distributions_count),
      updated_height: Math.max(
        ...model.history.events
          .filter(
            ({ type, fields }) =>
              type.startsWith('aeva.payout.v1.') &&
              fields.asset_id === assetId &&
              fields.kind_id === accrual.kind_id &&
              fields.denom === accrual.denom,
          )
          .map(({ height }) => height),
      ),
    }))
    .sort((a, b) => a.kind_id - b.kind_id || byText<Json>(({ denom }) => denom)(a, b));
}

export function positionsOf(model: Model, assetId: string, kindId: number): Json[] {
  return model.positions
    .filter(({ asset_id, kind_id }) => asset_id === assetId && kind_id === kindId)
    .sort(
      (a, b) => compareDown(BigInt(a.units), BigInt(b.units)) || byText<Json>(({ holder }) => holder)(a, b),
    );
}

function compareDown(a: bigint, b: bigint): number {
  return a > b ? -1 : a < b ? 1 : 0;
}

export function locksOf(position: Json): Json[] {
  return [...position.locks].sort(byText<Json>(({ ref }) => ref));
}

function graphHolder(position: Json): Json {
  const locks = locksOf(position);
  return {
    holder: position.holder,
    units: position.units,
    encumbered: String(sum(locks.map(({ units }) => BigInt(units)))),
    locks,
  };
}

export function graphOf(model: Model, asset: Json): Json {
  return {
    asset_id: asset.id,
    status: asset.status,
    kinds: asset.kinds.map((kind: Json) => ({
      kind_id: kind.kind_id,
      class: bare('KIND_CLASS_', kind.class),
      supply: kindOf(model, asset, kind).supply,
      holders: positionsOf(model, asset.id, kind.kind_id).slice(0, 100).map(graphHolder),
    })),
  };
}

export function holdersOf(model: Model, assetId: string, kindId: number): Json[] {
  return positionsOf(model, assetId, kindId).map((position) => ({
    ...graphHolder(position),
    encumbrances: locksOf(position)
      .filter(({ ref }) => ref.startsWith('encumbrance/'))
      .map(({ ref }) => model.encumbrances.find(({ id }) => `encumbrance/${id}` === ref))
      .filter((found) => found !== undefined)
      .map((found) => ({
        id: Number(found.id),
        kind: bare('KIND_', found.kind).toLowerCase(),
        beneficiary: found.beneficiary,
        units: found.units,
        status: 'active',
        expiry: reprintTime(found.expiry),
        holder_release_after: reprintTime(found.holder_release_after),
      }))
      .sort((a, b) => a.id - b.id),
  }));
}

export function distributionsOf(model: Model, assetId: string): Json[] {
  return model
    .told('payout.EventDistributed', ({ asset_id }) => asset_id === assetId)
    .map(({ height, txIndex, eventIndex, txHash, time, fields }) => {
      const { kind_id, denom, payer, amount, new_index, carry_scaled, supply } = fields;
      return {
        ...{ height, tx_index: txIndex, event_index: eventIndex, kind_id, denom, payer, amount },
        ...{ new_index, carry_scaled, supply, tx_hash: txHash, block_time: time },
      };
    })
    .reverse();
}

export function liquidationOf(model: Model, asset: Json): Json {
  const waterfall = model.waterfalls.find(({ asset_id }) => asset_id === asset.id);
  const liquidation = waterfall?.liquidation ?? null;
  const paid = (tier: number): Json =>
    Object.fromEntries(
      (waterfall?.paid ?? [])
        .filter((each: Json) => each.tier === tier && each.cumulative_paid !== '0')
        .map(({ denom, cumulative_paid }: Json) => [denom, cumulative_paid]),
    );
  return {
    asset_id: asset.id,
    status: asset.status,
    waterfall: (waterfall?.tiers ?? [])
      .map(({ tier, kind_id, cap }: Json) => ({ tier, kind_id, cap, cumulative_paid: paid(tier) }))
      .sort((a: Json, b: Json) => a.tier - b.tier),
    liquidation:
      liquidation === null
        ? null
        : {
            denom: liquidation.denom,
            initiator: liquidation.initiator,
            began_height: Number(liquidation.began_height),
            began_at: reprintTime(liquidation.began_at),
            pool: liquidation.pool,
            closed_height: liquidation.closed_height === '0' ? null : Number(liquidation.closed_height),
          },
    redemption_pools: [...(waterfall?.pools ?? [])].sort((a: Json, b: Json) => a.kind_id - b.kind_id),
  };
}
