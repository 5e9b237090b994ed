import type { Acts, Happenings } from './act.ts';
import { address, heldBy, ofAsset, units } from './fields.ts';
import { lockPart } from './locks.ts';
import { say } from './sentence.ts';

export const RIGHTS: Acts = {
  'rights.v1.MsgIssue': (message) => ({
    who: address(message, 'issuer'),
    did: 'issued',
    toDo: 'issue',
    what: say`${units(message)}${ofAsset(message)} to ${address(message, 'recipient')}`,
  }),
  'rights.v1.MsgTransfer': (message) => ({
    who: address(message, 'from'),
    did: 'transferred',
    toDo: 'transfer',
    what: say`${units(message)}${ofAsset(message)} to ${address(message, 'to')}`,
  }),
  'rights.v1.MsgRedeem': (message) => ({
    who: address(message, 'holder'),
    did: 'redeemed',
    toDo: 'redeem',
    what: say`${units(message)}${ofAsset(message)}`,
    after: ', which ends them',
  }),
};

export const RIGHTS_EVENTS: Happenings = {
  'rights.v1.EventIssued': (event) =>
    say`${address(event, 'recipient')} received ${units(event)}${ofAsset(event)}, newly issued`,
  'rights.v1.EventTransferred': (event) =>
    say`${address(event, 'from')} transferred ${units(event)}${ofAsset(event)} to ${address(event, 'to')}`,
  'rights.v1.EventRedeemed': (event) =>
    say`${address(event, 'holder')} redeemed ${units(event)}${ofAsset(event)}`,
  'rights.v1.EventLocked': (event) =>
    say`${lockPart(event)} locked ${units(event)}${ofAsset(event)}${heldBy(event)}`,
  'rights.v1.EventUnlocked': (event) =>
    say`${lockPart(event)} freed ${units(event)}${ofAsset(event)}${heldBy(event)}`,
};
