import { enumText } from '../methods.ts';
import { type Acts, eventOf, type Happenings } from './act.ts';
import { address, type Fields, heldBy, ofAsset, record, textOf, units } from './fields.ts';
import { type Sentence, say } from './sentence.ts';

export const ENCUMBRANCE: Acts = {
  'encumbrance.v1.MsgCreate': (message, events) => {
    const created = eventOf(events, 'encumbrance.v1.EventCreated');
    const made = created === undefined ? [] : say` (${record('encumbrance', created)})`;
    return { who: address(message, 'actor'), ...VERBS[kindOf(message)], what: [...bound(message), ...made] };
  },
  'encumbrance.v1.MsgRelease': (message, events) => {
    const released = eventOf(events, 'encumbrance.v1.EventReleased');
    const what =
      released === undefined
        ? say`${textOf(message, 'units') === '' ? 'all that is left' : 'a part'} of ${record('encumbrance', message)}`
        : say`${units(released)}${ofAsset(released)} from ${record('encumbrance', message)}`;
    return { who: address(message, 'actor'), did: 'released', toDo: 'release', what };
  },
  'encumbrance.v1.MsgExercise': (message, events) => {
    const taken = eventOf(events, 'encumbrance.v1.EventExercised');
    const what =
      taken === undefined
        ? say`what is left of ${record('encumbrance', message)}`
        : say`${units(taken)}${ofAsset(taken)} from ${address(taken, 'holder')} under ${record('encumbrance', message)}`;
    return { who: address(message, 'actor'), did: 'took', toDo: 'take', what };
  },
};

const VERBS: Readonly<Record<'pledge' | 'lien' | 'lockup', { did: string; toDo: string }>> = {
  pledge: { did: 'pledged', toDo: 'pledge' },
  lien: { did: 'laid a lien on', toDo: 'lay a lien on' },
  lockup: { did: 'locked up', toDo: 'lock up' },
};

function kindOf(fields: Fields): 'pledge' | 'lien' | 'lockup' {
  const name = enumText(textOf(fields, 'kind'), 'KIND_');
  return name === 'lien' || name === 'lockup' ? name : 'pledge';
}

/** `12 units of kind 1 of … held by ada to ben`; the holder is named where somebody else binds them. */
function bound(fields: Fields): Sentence {
  const isOwn = textOf(fields, 'holder') === textOf(fields, 'actor');
  const holder = isOwn ? [] : heldBy(fields);
  const to = kindOf(fields) === 'pledge' ? ' to ' : ', in favour of ';
  const beneficiary = textOf(fields, 'beneficiary') === '' ? [] : [to, address(fields, 'beneficiary')];
  const income = fields.income_to_beneficiary === true ? ', with the income' : '';
  return say`${units(fields)}${ofAsset(fields)}${holder}${beneficiary}${income}`;
}

export const ENCUMBRANCE_EVENTS: Happenings = {
  'encumbrance.v1.EventCreated': (event) =>
    say`${address(event, 'actor')} ${VERBS[kindOf(event)].did} ${bound(event)} (${record('encumbrance', event)})`,
  'encumbrance.v1.EventReleased': (event) =>
    say`${address(event, 'actor')} released ${units(event)}${ofAsset(event)}${heldBy(event)} from ${record('encumbrance', event)}`,
  'encumbrance.v1.EventExercised': (event) =>
    say`${address(event, 'beneficiary')} took ${units(event)}${ofAsset(event)} from ${address(event, 'holder')} under ${record('encumbrance', event)}`,
  'encumbrance.v1.EventExpired': (event) =>
    say`${record('encumbrance', event)} expired and freed ${units(event)}${ofAsset(event)}${heldBy(event)}`,
};
