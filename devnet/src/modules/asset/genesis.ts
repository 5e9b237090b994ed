import { assetIdOf } from 'strata-kit/client/asset-ids';
import type { JsonObject } from 'strata-kit/proto-json';
import { requireAddress } from '../../app/address.ts';
import type { Context } from '../../app/module.ts';
import type { Fields } from '../fields.ts';
import { assetError } from './codes.ts';
import { assetFields, denomsOf, kindsOf, policyOf, rolesOf } from './input.ts';
import { putAsset, registerTokens } from './keeper.ts';
import { type Asset, type AssetStatus, NONCES } from './records.ts';

const STATUSES: readonly AssetStatus[] = [
  'ASSET_STATUS_ACTIVE',
  'ASSET_STATUS_LIQUIDATING',
  'ASSET_STATUS_LIQUIDATED',
];

/** Takes what the query Export answers. Refused as asset/2, an id that is not its formula's too. */
export function initAssets(context: Context, genesis: JsonObject): void {
  const { hrp } = context.parameters;
  const fields = assetFields(genesis, hrp);
  for (const item of fields.messages('assets')) {
    const asset = assetOf(context, item);
    putAsset(context, asset);
    registerTokens(context, asset);
  }
  for (const item of fields.messages('nonces'))
    context.state.set(NONCES, item.address('issuer'), item.id('next_nonce'));
}

function assetOf(context: Context, fields: Fields): Asset {
  const { hrp, namespace } = context.parameters;
  const [issuer, nonce, id] = [fields.address('issuer'), fields.id('nonce'), fields.assetId('id')];
  if (id !== assetIdOf(namespace, requireAddress(context.parameters, issuer, 'issuer'), nonce))
    throw assetError('invalid', `id: ${id} is not that of asset ${nonce} of ${issuer}`);
  const policy = fields.inner('policy');
  if (policy === undefined) throw assetError('invalid', 'policy: missing');
  const overrides = fields.messages('policy_overrides');
  return {
    id,
    issuer,
    nonce,
    status: fields.choice('status', STATUSES),
    policy: policyOf(policy, hrp),
    roles: rolesOf(fields.inner('roles')),
    metaHash: fields.hash('meta_hash'),
    settlementDenom: fields.denom('settlement_denom'),
    issuanceLocked: fields.flag('issuance_locked'),
    liensAllowed: fields.flag('liens_allowed'),
    distributionDenoms: denomsOf(fields, hrp),
    kinds: kindsOf(fields).map((kind) => {
      const override = overrides.find((item) => item.small('kind_id') === kind.kindId)?.inner('policy');
      return override === undefined ? kind : { ...kind, policyOverride: policyOf(override, hrp) };
    }),
  };
}
