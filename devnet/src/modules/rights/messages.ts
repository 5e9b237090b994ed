import { underCodespace } from 'strata-kit/chain-error';
import type { JsonObject } from 'strata-kit/proto-json';
import { parseAmount } from '../../app/amounts.ts';
import type { MessageContext, MessageHandler } from '../../app/module.ts';
import { requireActive, requireAsset, requireKind } from '../asset/keeper.ts';
import type { Asset, Kind } from '../asset/records.ts';
import { type Fields, fieldsOf } from '../fields.ts';
import { rightsError } from './codes.ts';
import { burn, issue as issueUnits, requireRecipient, transfer as transferUnits } from './keeper.ts';

/** The messages of rights (modules.md, section 4). */

/** By the issuer, while the asset is ACTIVE and issuance is not locked; no policy asks about the recipient. */
function issue(context: MessageContext, message: JsonObject): JsonObject {
  const { fields, asset, kind } = rightOf(context, message);
  const issuer = fields.address('issuer');
  if (issuer !== asset.issuer)
    throw rightsError('unauthorized', `${issuer} is not the issuer of asset ${asset.id}`);
  requireActive(asset, 'Issue');
  if (asset.issuanceLocked) throw rightsError('issuanceLocked', `issuance of asset ${asset.id} is locked`);
  const recipient = fields.address('recipient');
  requireRecipient(context, recipient);
  issueUnits(context, { assetId: asset.id, kindId: kind.kindId, recipient, units: unitsOf(message) });
  return {};
}

function transfer(context: MessageContext, message: JsonObject): JsonObject {
  const { fields, asset, kind } = rightOf(context, message);
  const [from, to] = [fields.address('from'), fields.address('to')];
  transferUnits(context, { assetId: asset.id, kindId: kind.kindId, from, to, units: unitsOf(message) });
  return {};
}

/** The holder ends transferable units of a REDEMPTION kind; neither policy nor the transferable flag is asked. */
function redeem(context: MessageContext, message: JsonObject): JsonObject {
  const { fields, asset, kind } = rightOf(context, message);
  const holder = fields.address('holder');
  requireActive(asset, 'Redeem');
  if (kind.class !== 'KIND_CLASS_REDEMPTION')
    throw rightsError('notRedeemable', `kind ${kind.kindId} of asset ${asset.id} is ${kind.class}`);
  const units = unitsOf(message);
  const right = { assetId: asset.id, kindId: kind.kindId, holder, units };
  const { supplyAfter, holderUnitsAfter } = burn(context, right);
  context.emit('rights.EventRedeemed', {
    asset_id: asset.id,
    kind_id: kind.kindId,
    holder,
    units: String(units),
    supply_after: String(supplyAfter),
    holder_units_after: String(holderUnitsAfter),
  });
  return {};
}

function rightOf(
  context: MessageContext,
  message: JsonObject,
): { readonly fields: Fields; readonly asset: Asset; readonly kind: Kind } {
  const fields = fieldsOf(message, context.parameters.hrp, rightsError);
  const asset = requireAsset(context, fields.assetId());
  return { fields, asset, kind: requireKind(asset, fields.small('kind_id')) };
}

/** In [0, 2^255); the keeper refuses 0 as well. */
function unitsOf({ units }: JsonObject): bigint {
  const parsed = parseAmount(units);
  if (parsed === undefined) throw rightsError('invalidUnits', `units must be in 1 to 2^255 - 1: ${units}`);
  return parsed;
}

export const rightsMessages: Readonly<Record<string, MessageHandler>> = {
  '/<ns>.rights.v1.MsgIssue': refusing(issue),
  '/<ns>.rights.v1.MsgTransfer': refusing(transfer),
  '/<ns>.rights.v1.MsgRedeem': refusing(redeem),
};

/** What the asset's keeper and policy refuse is refused by this module. */
function refusing(handler: MessageHandler): MessageHandler {
  return (context, message) => underCodespace('rights', () => handler(context, message));
}
