import { shorten } from '../shorten.ts';
import { type Acts, eventOf, type Happenings } from './act.ts';
import { address, amountOf, type Fields, kind, kindIdOf, ofAsset, routed, textOf } from './fields.ts';
import { type Part, type Sentence, say } from './sentence.ts';

export const BRIDGE: Acts = {
  'bridge.v1.MsgCreateRoute': (message) => ({
    who: address(message, 'authority'),
    did: 'opened',
    toDo: 'open',
    what: say`the bridge's route ${route(message)}, ${direction(message)}`,
  }),
  'bridge.v1.MsgSetRouteStatus': (message) => {
    const isPaused = textOf(message, 'status') === 'ROUTE_STATUS_PAUSED';
    return {
      who: address(message, 'authority'),
      did: isPaused ? 'paused' : 'activated',
      toDo: isPaused ? 'pause' : 'activate',
      what: say`the bridge's route ${route(message)}`,
    };
  },
  'bridge.v1.MsgSetLimits': (message) => ({
    who: address(message, 'authority'),
    did: 'set',
    toDo: 'set',
    what: say`how much may cross the bridge's route ${route(message)}`,
  }),
  'bridge.v1.MsgTransferOut': (message, events) => ({
    who: address(message, 'sender'),
    did: 'sent',
    toDo: 'send',
    what: say`${carried(eventOf(events, 'bridge.v1.EventTransferOut') ?? message)} to ${outside(message, 'recipient')} on another chain, over the route ${route(message)}`,
  }),
  'bridge.v1.MsgReceiveIn': (message, events) => ({
    who: address(message, 'relayer'),
    did: 'delivered',
    toDo: 'deliver',
    what: say`${carried(eventOf(events, 'bridge.v1.EventTransferIn') ?? message)} from ${outside(message, 'sender')} on another chain to ${address(message, 'recipient')}, over the route ${route(message)}`,
  }),
};

export const BRIDGE_EVENTS: Happenings = {
  'bridge.v1.EventRouteCreated': (event) =>
    say`the bridge's route ${route(event)}, ${direction(event)}, was opened`,
  'bridge.v1.EventRouteUpdated': (event) =>
    say`the bridge's route ${route(event)} was changed; it is ${textOf(event, 'status') === 'ROUTE_STATUS_PAUSED' ? 'paused' : 'active'}`,
  'bridge.v1.EventTransferOut': (event) =>
    say`${address(event, 'sender')} sent ${carried(event)} to ${outside(event, 'recipient')} on another chain, over the route ${route(event)}`,
  'bridge.v1.EventTransferIn': (event) =>
    say`${address(event, 'recipient')} received ${carried(event)} from ${outside(event, 'sender')} on another chain, over the route ${route(event)}`,
  'bridge.v1.EventEscrowIncomeSwept': (event) =>
    say`${amountOf(event.amount, event.denom)} from ${kind(event)}${ofAsset(event)}, held by the bridge's route ${route(event)}, went to ${address(event, 'recipient')}`,
};

function route(fields: Fields): Part {
  const id = textOf(fields, 'route_id');
  return { is: 'link', href: `/bridge?route=${encodeURIComponent(id)}`, text: id };
}

/** Whoever is on the other chain is no account of this one; the message has the whole of it. */
function outside(fields: Fields, name: string): Part {
  return { is: 'text', text: shorten(textOf(fields, name)) };
}

/** An event tells what it moved; a message only how much. */
function carried(fields: Fields): Sentence {
  const id = textOf(fields, 'asset_id');
  if (id === '') return [routed(fields)];
  const amount = textOf(fields, 'amount');
  if (!/^\d{1,80}$/.test(amount)) return say`units${ofAsset(fields)}`;
  const kindId = fields.bundle === true ? undefined : kindIdOf(fields);
  return say`${{ is: 'units', assetId: id, kindId, units: amount } as const}${ofAsset(fields)}`;
}

const DIRECTIONS: Readonly<Record<string, string>> = {
  DIRECTION_NATIVE_OUT: 'by which a coin of this chain goes out',
  DIRECTION_SYNTHETIC_IN: 'by which a coin of another chain comes in',
  DIRECTION_RIGHT_OUT: 'by which units of an asset go out',
};

function direction(fields: Fields): string {
  return DIRECTIONS[textOf(fields, 'direction')] ?? 'in a direction that is not known here';
}
