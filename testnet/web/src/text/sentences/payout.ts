import { type Acts, eventOf, type Happenings } from './act.ts';
import { address, amountOf, coin, type Fields, kind, ofAsset, textOf } from './fields.ts';
import { lockPart } from './locks.ts';
import { type Sentence, say } from './sentence.ts';

export const PAYOUT: Acts = {
  'payout.v1.MsgDistribute': (message) => ({
    who: address(message, 'payer'),
    did: 'distributed',
    toDo: 'distribute',
    what: say`${coin(message.amount)} to the holders of ${kind(message)}${ofAsset(message)}`,
  }),
  'payout.v1.MsgClaim': (message, events) => {
    const paid = eventOf(events, 'payout.v1.EventClaimed');
    const amount = paid === undefined ? 'income' : amountOf(paid.amount, paid.denom);
    return {
      who: address(message, 'claimant'),
      did: 'claimed',
      toDo: 'claim',
      what: say`${amount} from ${kind(message)}${ofAsset(message)}${routeOf(message)}`,
    };
  },
};

function routeOf(fields: Fields): Sentence {
  return textOf(fields, 'ref') === '' ? [] : say`, routed by ${lockPart(fields)}`;
}

export const PAYOUT_EVENTS: Happenings = {
  'payout.v1.EventDistributed': (event) =>
    say`${address(event, 'payer')} distributed ${amountOf(event.amount, event.denom)} to the holders of ${kind(event)}${ofAsset(event)}`,
  'payout.v1.EventClaimed': (event) =>
    say`${address(event, 'holder')} claimed ${amountOf(event.amount, event.denom)} from ${kind(event)}${ofAsset(event)}${
      textOf(event, 'routed_from') === ''
        ? routeOf(event)
        : say` held by ${address(event, 'routed_from')}${routeOf(event)}`
    }`,
};
