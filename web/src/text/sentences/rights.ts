import type { Acts, Happenings } from './act.ts';
import { address, ofAsset, units } from './fields.ts';
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
    what: say`${units(message)}${ofAsset(message)}, which ends them`,
  }),
};

export const RIGHTS_EVENTS: Happenings = {
  'rights.v1.EventIssued': (event) =>
    say`${units(event)}${ofAsset(event)} were issued to ${address(event, 'recipient')}`,
  'rights.v1.EventTransferred': (event) =>
    say`${address(event, 'from')} transferred ${units(event)}${ofAsset(event)} to ${address(event, 'to')}`,
  'rights.v1.EventRedeemed': (event) =>
    say`${address(event, 'holder')} redeemed ${units(event)}${ofAsset(event)}`,
  'rights.v1.EventLocked': (event) =>
    say`${units(event)}${ofAsset(event)} of ${address(event, 'holder')} were locked by ${lockPart(event)}`,
  'rights.v1.EventUnlocked': (event) =>
    say`${units(event)}${ofAsset(event)} of ${address(event, 'holder')} were freed by ${lockPart(event)}`,
};
