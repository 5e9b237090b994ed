import { locksOf } from './assets.ts';
import { delegationOf, settlementOf } from './deals.ts';
import { byText, evmAddressOf, hexOf, type Json, reprintTime, sum } from './history.ts';
import type { Model } from './model.ts';

/** Answers about accounts, computed from the devnet. */

const bare = (prefix: string, text: string): string => text.replace(prefix, '');
const keyed = (...parts: readonly (string | number)[]): string =>
  parts.map((part) => (typeof part === 'number' ? String(part).padStart(10, '0') : part)).join(' ');

export function attestationsOf(model: Model, subject: string): Json[] {
  return model.attestations
    .filter((each) => each.subject === subject)
    .map(({ type, attester, expiry, revoked, evidence_hash }) => {
      const events = model.history.events.filter(
        ({ type: name, fields }) =>
          name.startsWith('aeva.attestation.v1.') &&
          fields.subject === subject &&
          fields.type === type &&
          fields.attester === attester,
      );
      return {
        type,
        attester,
        expiry: reprintTime(expiry),
        revoked,
        evidence_hash: hexOf(evidence_hash),
        live: !revoked && isLater(expiry, model.history.lastTime),
        updated_height: Math.max(...events.map(({ height }) => height)),
      };
    })
    .sort(byText<Json>(({ type, attester }) => keyed(type, attester)));
}

function isLater(a: string, b: string): boolean {
  return new Date(a).getTime() > new Date(b).getTime();
}

export function attesterOf(model: Model, attester: string): Json {
  const own = model.attestations.filter((each) => each.attester === attester);
  const types = [...new Set<string>(own.map(({ type }) => type))].sort(byText((type) => type));
  return {
    attester,
    types: types.map((type) => {
      const of = own.filter((each) => each.type === type);
      const live = of.filter((each) => !each.revoked && isLater(each.expiry, model.history.lastTime)).length;
      const revoked = of.filter((each) => each.revoked).length;
      return { type, issued: of.length, live, revoked, expired: of.length - live - revoked };
    }),
    latest_block_time: model.history.lastTime,
  };
}

export async function accountOf(model: Model, address: string): Promise<Json> {
  const positions = model.positions.filter(({ holder }) => holder === address);
  return {
    address,
    evm_address: evmAddressOf(address),
    assets: [...new Set<string>(positions.map(({ asset_id }) => asset_id))]
      .sort()
      .map((assetId) => accountAsset(model, assetId, positions)),
    locks: positions
      .flatMap((position) =>
        locksOf(position).map(({ ref, units }) => ({
          ...{ asset_id: position.asset_id, kind_id: position.kind_id, ref, units },
        })),
      )
      .sort(byText<Json>(({ asset_id, kind_id, ref }) => keyed(asset_id, kind_id, ref))),
    pending_settlements: model.settlements
      .filter(
        ({ proposer, counterparty, status }) =>
          status === 'STATUS_PENDING' && [proposer, counterparty].includes(address),
      )
      .map((settlement) => settlementOf(model, settlement))
      .sort((a, b) => b.id - a.id),
    attestations: attestationsOf(model, address),
    claimable: [...(await model.claimable(address))]
      .filter(({ total }) => total !== '0')
      .sort(byText<Json>(({ asset_id, kind_id, denom, ref }) => keyed(asset_id, kind_id, denom, ref))),
    delegations: activeDelegations(model)
      .filter(({ holder, delegate }) => [holder, delegate].includes(address))
      .map((delegation) => delegationOf(model, delegation))
      .sort((a, b) => b.id - a.id),
    voting_power: votingPower(model, address),
    latest_block_time: model.history.lastTime,
  };
}

function accountAsset(model: Model, assetId: string, positions: readonly Json[]): Json {
  const asset = model.assets.find(({ id }) => id === assetId);
  const transferable = (kindId: number): bigint => {
    const position = positions.find((of) => of.asset_id === assetId && of.kind_id === kindId);
    if (position === undefined) return 0n;
    return BigInt(position.units) - sum(position.locks.map(({ units }: Json) => BigInt(units)));
  };
  const bundle = asset.kinds.filter((kind: Json) => kind.bundle).map(({ kind_id }: Json) => kind_id);
  const whole = bundle.map(transferable).reduce((a: bigint, b: bigint) => (a < b ? a : b), 2n ** 256n);
  return {
    asset_id: assetId,
    status: asset.status,
    whole_units: bundle.length === 0 ? '0' : String(whole),
    kinds: positions
      .filter((of) => of.asset_id === assetId)
      .map(({ kind_id, units }) => ({
        kind_id,
        class: bare('KIND_CLASS_', asset.kinds[kind_id].class),
        units,
        encumbered: String(BigInt(units) - transferable(kind_id)),
        transferable: String(transferable(kind_id)),
      }))
      .sort((a, b) => a.kind_id - b.kind_id),
  };
}

function activeDelegations(model: Model): Json[] {
  return model.delegations.filter(({ ended }) => ended === 'END_REASON_UNSPECIFIED');
}

function votingPower(model: Model, address: string): Json[] {
  const isVote = (assetId: string, kindId: number): boolean =>
    model.assets.find(({ id }) => id === assetId)?.kinds[kindId]?.class === 'KIND_CLASS_VOTE';
  const votes = activeDelegations(model).filter(
    ({ purposes, asset_id, kind_id }) => purposes.includes('PURPOSE_VOTE') && isVote(asset_id, kind_id),
  );
  const total = (list: readonly Json[], assetId: string): bigint =>
    sum(list.filter(({ asset_id }) => asset_id === assetId).map(({ units }) => BigInt(units)));
  const own = model.positions.filter(
    ({ holder, asset_id, kind_id }) => holder === address && isVote(asset_id, kind_id),
  );
  const out = votes.filter(({ holder }) => holder === address);
  const into = votes.filter(({ delegate }) => delegate === address);
  const assets = new Set<string>([...own, ...out, ...into].map(({ asset_id }) => asset_id));
  return [...assets].sort().flatMap((assetId) => {
    const [has, gives, gets] = [total(own, assetId), total(out, assetId), total(into, assetId)];
    if (has === 0n && gives === 0n && gets === 0n) return [];
    return [
      {
        asset_id: assetId,
        own: String(has),
        delegated_out: String(gives),
        delegated_in: String(gets),
        voting_power: { amount: String(has - gives + gets) },
      },
    ];
  });
}
