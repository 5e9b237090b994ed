import { enumText } from '../methods.ts';
import { type Acts, eventOf, type Happenings } from './act.ts';
import { address, type Fields, listOf, ofAsset, record, textOf, time, units } from './fields.ts';
import { type Sentence, say } from './sentence.ts';

export const DELEGATION: Acts = {
  'delegation.v1.MsgDelegate': (message) => ({
    who: address(message, 'holder'),
    did: 'delegated',
    toDo: 'delegate',
    what: delegated(message),
  }),
  'delegation.v1.MsgRevoke': (message, events) => {
    const ended = eventOf(events, 'delegation.v1.EventEnded');
    return {
      who: address(message, 'holder'),
      did: 'took back',
      toDo: 'take back',
      what: say`${record('delegation', message)}${ended === undefined ? [] : say` from ${address(ended, 'delegate')}`}`,
    };
  },
  'delegation.v1.MsgReturn': (message, events) => {
    const ended = eventOf(events, 'delegation.v1.EventEnded');
    return {
      who: address(message, 'delegate'),
      did: 'gave back',
      toDo: 'give back',
      what: say`${record('delegation', message)}${ended === undefined ? [] : say` to ${address(ended, 'holder')}`}`,
    };
  },
};

const ENDS: Readonly<Record<string, string>> = {
  END_REASON_EXPIRED: 'its time was over',
  END_REASON_REVOKED: 'the holder took it back',
  END_REASON_RETURNED: 'the delegate gave it back',
};

export const DELEGATION_EVENTS: Happenings = {
  'delegation.v1.EventDelegated': (event) => say`${address(event, 'holder')} delegated ${delegated(event)}`,
  'delegation.v1.EventEnded': (event) =>
    say`${record('delegation', event)}${ofAsset(event)} from ${address(event, 'holder')} to ${address(event, 'delegate')} ended: ${ENDS[textOf(event, 'reason')] ?? 'no reason is told'}`,
};

function delegated(fields: Fields): Sentence {
  const purposes = listOf(fields, 'purposes').map((each) => enumText(String(each), 'PURPOSE_'));
  const until = time(fields, 'until');
  return say`the ${purposes.length === 0 ? 'use' : purposes.join(' and ')} of ${units(fields)}${ofAsset(fields)} to ${address(fields, 'delegate')}${until === undefined ? [] : say`, until ${until}`}`;
}
