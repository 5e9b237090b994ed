import { type Acts, eventOf, type Happenings } from './act.ts';
import {
  address,
  amountOf,
  coin,
  denom,
  type Fields,
  isFields,
  kind,
  listOf,
  ofAsset,
  textOf,
  units,
} from './fields.ts';
import { type Sentence, say } from './sentence.ts';

export const WATERFALL: Acts = {
  'waterfall.v1.MsgSetWaterfall': (message) => ({
    who: address(message, 'issuer'),
    did: 'set',
    toDo: 'set',
    what: say`${order(message)}: ${tiers(message)}`,
  }),
  'waterfall.v1.MsgBeginLiquidation': (message) => ({
    who: address(message, 'initiator'),
    did: 'began',
    toDo: 'begin',
    what: liquidation(message),
  }),
  'waterfall.v1.MsgFund': (message) => ({
    who: address(message, 'payer'),
    did: 'paid',
    toDo: 'pay',
    what: say`${coin(message.amount)} into the liquidation${ofAsset(message)}`,
  }),
  'waterfall.v1.MsgRedeemPool': (message, events) => {
    const paid = eventOf(events, 'waterfall.v1.EventPoolRedeemed');
    const got = paid === undefined ? 'a part' : amountOf(paid.amount, paid.denom);
    return {
      who: address(message, 'holder'),
      did: 'gave up',
      toDo: 'give up',
      what: say`${units(message)}${ofAsset(message)} for ${got} of the redemption pool`,
    };
  },
  'waterfall.v1.MsgCloseLiquidation': (message) => ({
    who: address(message, 'issuer'),
    did: 'closed',
    toDo: 'close',
    what: say`the liquidation${ofAsset(message)}`,
  }),
};

export const WATERFALL_EVENTS: Happenings = {
  'waterfall.v1.EventWaterfallSet': (event) => say`${order(event)} is now: ${tiers(event)}`,
  'waterfall.v1.EventLiquidationBegan': (event) =>
    say`${address(event, 'initiator')} began ${liquidation(event)}`,
  'waterfall.v1.EventFunded': (event) =>
    say`${address(event, 'payer')} paid ${amountOf(event.amount, event.denom)} into the liquidation${ofAsset(event)}`,
  'waterfall.v1.EventTierPaid': (event) =>
    say`tier ${textOf(event, 'tier')} of the liquidation${ofAsset(event)}, ${kind(event)}, was given ${amountOf(event.amount, event.denom)}`,
  'waterfall.v1.EventPoolOpened': (event) =>
    say`what holders of ${kind(event)}${ofAsset(event)} may redeem grew by ${amountOf(event.amount, event.denom)}`,
  'waterfall.v1.EventPoolRedeemed': (event) =>
    say`${address(event, 'holder')} gave up ${units(event)}${ofAsset(event)} for ${amountOf(event.amount, event.denom)} of the redemption pool`,
  'waterfall.v1.EventLiquidationClosed': (event) => say`the liquidation${ofAsset(event)} was closed`,
};

function order(fields: Fields): Sentence {
  return say`the order in which a liquidation${ofAsset(fields)} pays`;
}

/** `kind 0, then kind 1` */
function tiers(fields: Fields): Sentence {
  const sorted = listOf(fields, 'tiers')
    .filter(isFields)
    .toSorted((a, b) => Number(a.tier) - Number(b.tier));
  if (sorted.length === 0) return ['nobody'];
  return sorted.flatMap((tier, at) => [
    ...(at === 0 ? [] : [', then ']),
    kind({ asset_id: fields.asset_id, kind_id: tier.kind_id }),
  ]);
}

function liquidation(fields: Fields): Sentence {
  const paid = textOf(fields, 'denom') === '' ? [] : say`, paid in ${denom(fields.denom)}`;
  return say`the liquidation${ofAsset(fields)}${paid}`;
}
