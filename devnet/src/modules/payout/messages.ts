import { underCodespace } from 'strata-kit/chain-error';
import type { JsonObject } from 'strata-kit/proto-json';
import { AMOUNT_LIMIT } from '../../app/amounts.ts';
import type { Context, MessageContext, MessageHandler } from '../../app/module.ts';
import { mayDistribute, requireActive, requireAsset, requireKind } from '../asset/keeper.ts';
import type { Asset } from '../asset/records.ts';
import { balance, send } from '../bank/keeper.ts';
import { type Fields, fieldsOf } from '../fields.ts';
import { supply } from '../rights/positions.ts';
import { type Basis, SCALE } from './bases.ts';
import { payoutError } from './codes.ts';
import { pay, payoutAddress, putAccrual } from './keeper.ts';
import { type Accrual, accrual, accruals, route } from './records.ts';

/** The messages of payout (modules.md, section 4, rules 3 and 4). */

/** Denoms that a kind may ever have had, since each movement of its units touches each of them. */
const DENOMS_MAX = 64;

/** Anyone pays income to a kind: scaled = A·10^18 + carry, which each unit shares; the rest is the next carry. */
function distribute(context: MessageContext, message: JsonObject): JsonObject {
  const { fields, asset, kindId } = kindOf(context, message);
  const payer = fields.address('payer');
  const { denom, amount } = fields.coin('amount');
  requireActive(asset, 'Distribute');
  if (!mayDistribute(asset, denom))
    throw payoutError('denomNotAllowed', `${denom} may not be distributed by asset ${asset.id}`);
  const units = supply(context.state, asset.id, kindId);
  if (units === 0n) throw payoutError('noSupply', `kind ${kindId} of asset ${asset.id} has no units`);
  const before = accrual(context.state, asset.id, kindId, denom) ?? newAccrual(context, asset, kindId, denom);
  const totalDistributed = before.totalDistributed + amount;
  if (totalDistributed >= AMOUNT_LIMIT)
    throw payoutError('amountTooLarge', `what is distributed of ${denom} would reach 2^255`);
  const held = balance(context.state, payer, denom);
  if (held < amount)
    throw payoutError('insufficientCoins', `${payer} has ${held}${denom}, not ${amount}${denom}`);
  send(context, payer, payoutAddress(context.parameters), [{ denom, amount }]);
  const scaled = amount * SCALE + before.carryScaled;
  const after: Accrual = {
    ...before,
    index: before.index + scaled / units,
    carryScaled: scaled % units,
    totalDistributed,
    distributions: before.distributions + 1n,
  };
  putAccrual(context, asset.id, after);
  context.emit('payout.EventDistributed', {
    asset_id: asset.id,
    kind_id: kindId,
    denom,
    payer,
    amount: String(amount),
    new_index: String(after.index),
    carry_scaled: String(after.carryScaled),
    supply: String(units),
  });
  return {};
}

/** All of one basis in one denom: the claimant's own without a ref, else of the route in the claimant's favour. */
function claim(context: MessageContext, message: JsonObject): JsonObject {
  const { fields, asset, kindId } = kindOf(context, message);
  const [claimant, denom, ref] = [fields.address('claimant'), fields.denom('denom'), fields.text('ref')];
  const { basis, routedFrom } = claimedOf(context, asset.id, kindId, claimant, ref);
  const amount = pay(context, asset.id, kindId, denom, basis, claimant);
  if (amount === 0n)
    throw payoutError(
      'nothingToClaim',
      `${claimant} has no ${denom} to claim of asset ${asset.id} kind ${kindId}`,
    );
  context.emit('payout.EventClaimed', {
    asset_id: asset.id,
    kind_id: kindId,
    denom,
    holder: claimant,
    routed_from: routedFrom,
    ref,
    amount: String(amount),
  });
  return { amount: String(amount) };
}

function claimedOf(
  context: Context,
  assetId: string,
  kindId: number,
  claimant: string,
  ref: string,
): { readonly basis: Basis; readonly routedFrom: string } {
  if (ref === '') return { basis: { holder: claimant }, routedFrom: '' };
  const found = route(context.state, ref);
  if (found === undefined || found.assetId !== assetId || found.kindId !== kindId)
    throw payoutError('unknownRoute', `no income of asset ${assetId} kind ${kindId} is routed under ${ref}`);
  if (found.beneficiary !== claimant)
    throw payoutError('unauthorized', `${claimant} is not the beneficiary of ${ref}`);
  return { basis: { ref }, routedFrom: found.holder };
}

function newAccrual(context: Context, asset: Asset, kindId: number, denom: string): Accrual {
  if (accruals(context.state, asset.id, kindId).length >= DENOMS_MAX)
    throw payoutError(
      'denomNotAllowed',
      `kind ${kindId} of asset ${asset.id} has paid in ${DENOMS_MAX} denoms already`,
    );
  return {
    kindId,
    denom,
    index: 0n,
    carryScaled: 0n,
    totalDistributed: 0n,
    totalPaid: 0n,
    distributions: 0n,
  };
}

function kindOf(
  context: MessageContext,
  message: JsonObject,
): { readonly fields: Fields; readonly asset: Asset; readonly kindId: number } {
  const fields = fieldsOf(message, context.parameters.hrp, payoutError);
  const asset = requireAsset(context, fields.assetId());
  return { fields, asset, kindId: requireKind(asset, fields.small('kind_id')).kindId };
}

export const payoutMessages: Readonly<Record<string, MessageHandler>> = {
  '/<ns>.payout.v1.MsgDistribute': refusing(distribute),
  '/<ns>.payout.v1.MsgClaim': refusing(claim),
};

/** What the asset's keeper refuses is refused by this module. */
function refusing(handler: MessageHandler): MessageHandler {
  return (context, message) => underCodespace('payout', () => handler(context, message));
}
