import type { Acts, Happenings } from './act.ts';
import { address, type Fields, time, written } from './fields.ts';
import { type Sentence, say } from './sentence.ts';

export const ATTESTATION: Acts = {
  'attestation.v1.MsgAttest': (message) => ({
    who: address(message, 'attester'),
    did: 'attested',
    toDo: 'attest',
    what: attested(message),
  }),
  'attestation.v1.MsgRevoke': (message) => ({
    who: address(message, 'attester'),
    did: 'took back',
    toDo: 'take back',
    what: say`the attestation ${written(message, 'type')} of ${address(message, 'subject')}`,
  }),
};

export const ATTESTATION_EVENTS: Happenings = {
  'attestation.v1.EventAttested': (event) => say`${address(event, 'attester')} attested ${attested(event)}`,
  'attestation.v1.EventRevoked': (event) =>
    say`${address(event, 'attester')} took back the attestation ${written(event, 'type')} of ${address(event, 'subject')}`,
};

function attested(fields: Fields): Sentence {
  const expiry = time(fields, 'expiry');
  return say`${address(fields, 'subject')} as ${written(fields, 'type')}${expiry === undefined ? [] : say`, until ${expiry}`}`;
}
