import { assetIdOf } from 'strata-kit/client/asset-ids';
import type { JsonObject } from 'strata-kit/proto-json';
import { requireAddress } from '../../app/address.ts';
import type { MessageContext, MessageHandler } from '../../app/module.ts';
import type { Fields } from '../fields.ts';
import { assetError } from './codes.ts';
import { assetFields, denomsOf, kindsOf, multiplierOf, policyOf, rolesOf } from './input.ts';
import { kindJson, policyJson, rolesJson } from './json.ts';
import { nextNonce, putAsset, registerTokens, requireAsset, requireKind } from './keeper.ts';
import { type Asset, type Kind, NONCES, type Policy } from './records.ts';

/** The asset's messages: anyone creates, the issuer alone changes (modules.md, section 4). */

const OPEN: Policy = { mode: 'POLICY_MODE_OPEN', requiredTypes: [], attesters: [] };

/** The signer becomes the issuer. Without a policy the asset is OPEN. */
function createAsset(context: MessageContext, message: JsonObject): JsonObject {
  const { state, parameters } = context;
  const fields = assetFields(message, parameters.hrp);
  const issuer = fields.address('issuer');
  const policy = fields.inner('policy');
  const nonce = nextNonce(state, issuer);
  const asset: Asset = {
    id: assetIdOf(parameters.namespace, requireAddress(parameters, issuer, 'issuer'), nonce),
    issuer,
    nonce,
    status: 'ASSET_STATUS_ACTIVE',
    policy: policy === undefined ? OPEN : policyOf(policy, parameters.hrp),
    roles: rolesOf(fields.inner('roles')),
    metaHash: fields.hash('meta_hash'),
    settlementDenom: fields.denom('settlement_denom'),
    issuanceLocked: false,
    liensAllowed: fields.flag('liens_allowed'),
    distributionDenoms: denomsOf(fields, parameters.hrp),
    kinds: kindsOf(fields),
  };
  state.set(NONCES, issuer, nonce + 1n);
  putAsset(context, asset);
  registerTokens(context, asset);
  context.emit('asset.EventAssetCreated', {
    asset_id: asset.id,
    issuer,
    nonce: String(nonce),
    status: asset.status,
    policy: policyJson(asset.policy),
    roles: rolesJson(asset.roles),
    meta_hash: asset.metaHash,
    settlement_denom: asset.settlementDenom,
    liens_allowed: asset.liensAllowed,
    distribution_denoms: asset.distributionDenoms,
    kinds: asset.kinds.map(kindJson),
  });
  return { asset_id: asset.id };
}

/** Once, and for good. */
function lockIssuance(context: MessageContext, message: JsonObject): JsonObject {
  const { asset } = ofIssuer(context, message);
  if (asset.issuanceLocked)
    throw assetError('issuanceLocked', `issuance of asset ${asset.id} is locked already`);
  putAsset(context, { ...asset, issuanceLocked: true });
  context.emit('asset.EventIssuanceLocked', { asset_id: asset.id });
  return {};
}

/** The asset's policy, or with a kind_id the kind's override, which an unset policy removes. */
function setPolicy(context: MessageContext, message: JsonObject): JsonObject {
  const { asset, fields } = ofIssuer(context, message);
  const given = fields.inner('policy');
  const policy = given === undefined ? null : policyOf(given, context.parameters.hrp);
  const said = policy === null ? {} : { policy: policyJson(policy) };
  if (fields.isSet('kind_id')) {
    const { kindId } = requireKind(asset, fields.small('kind_id'));
    putKind(context, asset, kindId, { policyOverride: policy });
    context.emit('asset.EventPolicySet', { asset_id: asset.id, kind_id: kindId, ...said });
    return {};
  }
  if (policy === null) throw assetError('invalid', 'policy: an asset is never without one');
  putAsset(context, { ...asset, policy });
  context.emit('asset.EventPolicySet', { asset_id: asset.id, ...said });
  return {};
}

function setRoles(context: MessageContext, message: JsonObject): JsonObject {
  const { asset, fields } = ofIssuer(context, message);
  const roles = rolesOf(fields.inner('roles'));
  putAsset(context, { ...asset, roles });
  context.emit('asset.EventRolesSet', { asset_id: asset.id, roles: rolesJson(roles) });
  return {};
}

function updateKind(context: MessageContext, message: JsonObject): JsonObject {
  const { asset, fields } = ofIssuer(context, message);
  const { kindId } = requireKind(asset, fields.small('kind_id'));
  const multiplier = multiplierOf(fields);
  const [transferable, bridgeable] = [fields.flag('transferable'), fields.flag('bridgeable')];
  putKind(context, asset, kindId, { transferable, multiplier, bridgeable });
  context.emit('asset.EventKindUpdated', {
    asset_id: asset.id,
    kind_id: kindId,
    transferable,
    multiplier: String(multiplier),
    bridgeable,
  });
  return {};
}

function updateAsset(context: MessageContext, message: JsonObject): JsonObject {
  const { asset, fields } = ofIssuer(context, message);
  const liensAllowed = fields.flag('liens_allowed');
  const distributionDenoms = denomsOf(fields, context.parameters.hrp);
  putAsset(context, { ...asset, liensAllowed, distributionDenoms });
  context.emit('asset.EventAssetUpdated', {
    asset_id: asset.id,
    liens_allowed: liensAllowed,
    distribution_denoms: distributionDenoms,
  });
  return {};
}

/** The asset of a message that only its issuer may sign: else asset/3. */
function ofIssuer(
  context: MessageContext,
  message: JsonObject,
): { readonly asset: Asset; readonly fields: Fields } {
  const fields = assetFields(message, context.parameters.hrp);
  const asset = requireAsset(context, fields.assetId());
  if (fields.address('issuer') !== asset.issuer)
    throw assetError('unauthorized', `${fields.text('issuer')} is not the issuer of asset ${asset.id}`);
  return { asset, fields };
}

function putKind(context: MessageContext, asset: Asset, kindId: number, change: Partial<Kind>): void {
  const kinds = asset.kinds.map((kind) => (kind.kindId === kindId ? { ...kind, ...change } : kind));
  putAsset(context, { ...asset, kinds });
}

export const assetMessages: Readonly<Record<string, MessageHandler>> = {
  '/<ns>.asset.v1.MsgCreateAsset': createAsset,
  '/<ns>.asset.v1.MsgLockIssuance': lockIssuance,
  '/<ns>.asset.v1.MsgSetPolicy': setPolicy,
  '/<ns>.asset.v1.MsgSetRoles': setRoles,
  '/<ns>.asset.v1.MsgUpdateKind': updateKind,
  '/<ns>.asset.v1.MsgUpdateAsset': updateAsset,
};
