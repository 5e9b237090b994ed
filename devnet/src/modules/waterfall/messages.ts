import type { MessageHandler } from '../../app/module.ts';
import { requireActive, requireAsset, requireKind } from '../checks.ts';
import { type Fields, fieldsOf } from '../fields.ts';
import { refuse } from './codes.ts';
import { begin, close, fund, redeem, requireLiquidation, setWaterfall } from './keeper.ts';
import type { Tier } from './records.ts';

/** More are refused (waterfall/2): each Fund walks through all of them. */
export const MAX_TIERS = 32;

/** By the issuer, in place of the tiers before. */
export const onSetWaterfall: MessageHandler = (context, message) => {
  const fields = fieldsOf(message, context.parameters.hrp, refuse);
  const issuer = fields.address('issuer');
  const asset = requireAsset(context.state, refuse, fields.assetId());
  const tiers = readTiers(fields);
  if (issuer !== asset.issuer)
    throw refuse('unauthorized', `${issuer} is not the issuer of asset ${asset.id}`);
  requireActive(refuse, asset, 'SetWaterfall');
  for (const { kindId } of tiers) requireKind(refuse, asset, kindId);
  setWaterfall(context, asset.id, tiers);
  return {};
};

/** By the issuer or the operator; in the settlement denom unless another is named. */
export const onBeginLiquidation: MessageHandler = (context, message) => {
  const fields = fieldsOf(message, context.parameters.hrp, refuse);
  const initiator = fields.address('initiator');
  const asset = requireAsset(context.state, refuse, fields.assetId());
  if (initiator !== asset.issuer && initiator !== asset.roles.operator)
    throw refuse('unauthorized', `${initiator} is neither issuer nor operator of asset ${asset.id}`);
  requireActive(refuse, asset, 'BeginLiquidation');
  const denom = fields.text('denom') === '' ? asset.settlementDenom : fields.denom('denom');
  begin(context, asset, initiator, denom);
  return {};
};

/** By anyone. */
export const onFund: MessageHandler = (context, message) => {
  const fields = fieldsOf(message, context.parameters.hrp, refuse);
  const payer = fields.address('payer');
  const asset = requireAsset(context.state, refuse, fields.assetId());
  const { denom, amount } = fields.coin('amount');
  const record = requireLiquidation(context, asset.id);
  if (denom !== record.liquidation.denom)
    throw refuse('wrongDenom', `the liquidation of asset ${asset.id} is in ${record.liquidation.denom}`);
  fund(context, record, payer, amount);
  return {};
};

/** By a holder, for transferable units; also after the close. */
export const onRedeemPool: MessageHandler = (context, message) => {
  const fields = fieldsOf(message, context.parameters.hrp, refuse);
  const holder = fields.address('holder');
  const asset = requireAsset(context.state, refuse, fields.assetId());
  const { kindId } = requireKind(refuse, asset, fields.small('kind_id'));
  const amount = redeem(context, asset.id, kindId, holder, fields.positive('units'));
  return { amount: String(amount) };
};

/** By the issuer. */
export const onCloseLiquidation: MessageHandler = (context, message) => {
  const fields = fieldsOf(message, context.parameters.hrp, refuse);
  const issuer = fields.address('issuer');
  const asset = requireAsset(context.state, refuse, fields.assetId());
  if (issuer !== asset.issuer)
    throw refuse('unauthorized', `${issuer} is not the issuer of asset ${asset.id}`);
  return { returned: String(close(context, asset.id)) };
};

/** At least one, each number once. */
function readTiers(fields: Fields): Omit<Tier, 'paid'>[] {
  const tiers = fields.messages('tiers').map((tier) => ({
    tier: tier.small('tier'),
    kindId: tier.small('kind_id'),
    cap: tier.text('cap') === '' ? 0n : tier.amount('cap'),
  }));
  if (tiers.length === 0) throw refuse('invalid', 'no tiers');
  if (tiers.length > MAX_TIERS) throw refuse('invalid', `${tiers.length} tiers, more than ${MAX_TIERS}`);
  if (new Set(tiers.map(({ tier }) => tier)).size !== tiers.length)
    throw refuse('invalid', 'tiers: a number stands twice');
  return tiers;
}
