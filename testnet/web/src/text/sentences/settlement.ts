import { type Acts, eventOf, type Happenings } from './act.ts';
import {
  address,
  coin,
  type Fields,
  fieldsOf,
  isFields,
  listOf,
  ofAsset,
  record,
  textOf,
  time,
  units,
} from './fields.ts';
import { listed, type Sentence, say } from './sentence.ts';

export const SETTLEMENT: Acts = {
  'settlement.v1.MsgPropose': (message, events) => {
    const proposed = eventOf(events, 'settlement.v1.EventProposed');
    const made = proposed === undefined ? [] : say` (${record('settlement', proposed)})`;
    return {
      who: address(message, 'proposer'),
      did: 'offered',
      toDo: 'offer',
      what: [...offer(message), ...made],
    };
  },
  'settlement.v1.MsgAccept': (message, events) => {
    const settled = eventOf(events, 'settlement.v1.EventSettled');
    return {
      who: address(message, 'counterparty'),
      did: 'accepted',
      toDo: 'accept',
      what:
        settled === undefined
          ? [record('settlement', message)]
          : say`${record('settlement', message)} of ${address(settled, 'proposer')}; both sides have moved`,
    };
  },
  'settlement.v1.MsgCancel': (message) => ({
    who: address(message, 'actor'),
    did: 'cancelled',
    toDo: 'cancel',
    what: [record('settlement', message)],
  }),
};

export const SETTLEMENT_EVENTS: Happenings = {
  'settlement.v1.EventProposed': (event) =>
    say`${address(event, 'proposer')} offered ${offer(event)} (${record('settlement', event)})`,
  'settlement.v1.EventSettled': (event) =>
    say`${record('settlement', event)} between ${address(event, 'proposer')} and ${address(event, 'counterparty')} was settled`,
  'settlement.v1.EventExpired': (event) =>
    say`${record('settlement', event)} between ${address(event, 'proposer')} and ${address(event, 'counterparty')} expired`,
  'settlement.v1.EventCancelled': (event) => {
    const reason = textOf(event, 'reason');
    const why = reason === 'LIQUIDATION' ? say`a liquidation of the asset` : [address(event, 'actor')];
    return say`${record('settlement', event)} between ${address(event, 'proposer')} and ${address(event, 'counterparty')} was cancelled by ${why}`;
  },
};

/** `10 units … to ben for 12 USD; open until …` */
function offer(fields: Fields): Sentence {
  const legs = listOf(fields, 'legs').filter(isFields);
  const give = legs.filter((leg) => leg.direction === 'DIRECTION_PROPOSER_TO_COUNTERPARTY').map(moved);
  const take = legs.filter((leg) => leg.direction === 'DIRECTION_COUNTERPARTY_TO_PROPOSER').map(moved);
  const expiry = time(fields, 'expiry');
  return say`${side(give)} to ${address(fields, 'counterparty')} for ${side(take)}${expiry === undefined ? [] : say`, until ${expiry}`}`;
}

function side(items: readonly Sentence[]): Sentence {
  return items.length === 0 ? ['nothing'] : listed(items);
}

/** Of several rights in a row of one asset the last one names it. */
function moved(leg: Fields, at: number, side: readonly Fields[]): Sentence {
  const right = fieldsOf(leg, 'right');
  if (right === undefined) return [coin(leg.coin)];
  const next = fieldsOf(side[at + 1] ?? {}, 'right');
  const isLast = next === undefined || textOf(next, 'asset_id') !== textOf(right, 'asset_id');
  return say`${units(right)}${isLast ? ofAsset(right) : ''}`;
}
