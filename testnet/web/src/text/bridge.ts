import type { BridgeRoute, BridgeTransfer, I8Check } from '../../../../clients/ts/src/client.ts';

type Tone = 'plain' | 'good' | 'warn' | 'bad';
type Direction = BridgeRoute['direction'];

/** What each kind of route does, to somebody who never heard of it. */
export const DIRECTIONS: Readonly<Record<Direction, readonly [short: string, what: string]>> = {
  DIRECTION_NATIVE_OUT: [
    'Coins go out',
    'A coin of this chain goes to the other one. What is away waits here in an account of the route, and a stand-in exists over there.',
  ],
  DIRECTION_SYNTHETIC_IN: [
    'A coin comes in',
    'A coin of the other chain comes here. Its stand-in is made here when it arrives, and destroyed when it goes back.',
  ],
  DIRECTION_RIGHT_OUT: [
    'Rights go out',
    'Rights of an asset go to the other chain. What is away waits here in an account of the route; the income it earns meanwhile is paid to the issuer.',
  ],
};

/** What `outstanding` is for a route. */
export const OUTSTANDING_WORDS: Readonly<Record<Direction, string>> = {
  DIRECTION_NATIVE_OUT: 'Away now, held here for it',
  DIRECTION_SYNTHETIC_IN: 'Here now, as stand-in',
  DIRECTION_RIGHT_OUT: 'Away now, held here for it',
};

export function routeStatus({ status }: Pick<BridgeRoute, 'status'>): readonly [word: string, tone: Tone] {
  return status === 'ROUTE_STATUS_ACTIVE' ? ['Open', 'good'] : ['Paused', 'warn'];
}

export interface WindowUse {
  /** Of 1000, rounded down; 1000 where the limit lets nothing pass. */
  readonly permille: number;
  readonly isNearLimit: boolean;
}

const NEAR_PERMILLE = 900;

/** How much of a window's limit is used; amounts in base units. */
export function windowUse(used: string, limit: string): WindowUse {
  const most = BigInt(limit);
  const permille = most === 0n ? 1_000 : Number((BigInt(used) * 1_000n) / most);
  return { permille: Math.min(permille, 1_000), isNearLimit: permille >= NEAR_PERMILLE };
}

/** The last one that a Date can hold; a window may be of any 64-bit number of seconds. */
const LAST_DATE_MS = 8_640_000_000_000_000;

/** When the window that holds `nowMs` ends: windows are whole multiples of their length since 1970. RFC 3339. */
export function windowEnd(windowSeconds: number, nowMs: number): string {
  const lengthMs = windowSeconds * 1_000;
  return new Date(Math.min(LAST_DATE_MS, (Math.floor(nowMs / lengthMs) + 1) * lengthMs)).toISOString();
}

const HELD: Readonly<Record<Direction, string>> = {
  DIRECTION_NATIVE_OUT: 'the account of the route holds',
  DIRECTION_SYNTHETIC_IN: 'of the stand-in there exist',
  DIRECTION_RIGHT_OUT: 'the account of the route holds',
};

export interface CheckWords {
  readonly tone: Tone;
  readonly word: string;
  readonly sentence: string;
}

/** The check that what is held (or exists) here equals what the transfers add up to. */
export function checkWords(check: I8Check, direction: Direction): CheckWords {
  if (check === null)
    return { tone: 'plain', word: 'Not checked yet', sentence: 'Nobody has compared it with the chain yet.' };
  if (!check.evaluated)
    return {
      tone: 'plain',
      word: 'Not checked',
      sentence: 'The chain could not be asked at that block. That is no disagreement.',
    };
  if (check.agree && check.chain_ok)
    return {
      tone: 'good',
      word: 'Agrees',
      sentence: `On the chain ${HELD[direction]} exactly what all transfers add up to.`,
    };
  if (check.agree)
    return {
      tone: 'bad',
      word: 'Chain disagrees with itself',
      sentence: `On the chain ${HELD[direction]} what all transfers add up to, but the chain's own counters say something else.`,
    };
  return {
    tone: 'bad',
    word: 'Disagrees',
    sentence: `On the chain ${HELD[direction]} something else than what all transfers add up to.`,
  };
}

/** The transfers' statuses as the URL and the filter name them. */
export const TRANSFER_FILTERS = ['in_flight', 'completed', 'rejected'] as const;

export const TRANSFER_STATUS: Readonly<
  Record<BridgeTransfer['status'], readonly [word: string, tone: Tone, what: string]>
> = {
  in_flight: ['Sent', 'plain', 'It left this chain, which does not hear when it arrives.'],
  completed: ['Arrived', 'good', 'It came from the other chain and was paid out here.'],
  rejected: ['Refused', 'bad', 'This chain did not let it leave. Nothing moved.'],
};

export function transferFilter(text: string | undefined): BridgeTransfer['status'] | undefined {
  return TRANSFER_FILTERS.find((filter) => filter === text);
}

/** Why this chain refuses to let something leave, by the code of its bridge module. */
const REASONS: Readonly<Record<string, string>> = {
  'bridge/2': 'the request was malformed',
  'bridge/3': 'there is no such route',
  'bridge/4': 'the route is paused',
  'bridge/5': 'more than the limit of the time window',
  'bridge/6': 'the sender had no right to',
  'bridge/7': 'there is no such asset or right',
  'bridge/8': 'the asset is being liquidated',
  'bridge/9': 'the sender had too few units free to move',
  'bridge/10': 'the sender had too few coins',
  'bridge/11': 'the right cannot be transferred',
  'bridge/12': 'the policy of the right does not let everybody hold it',
  'bridge/13': 'an account of the bridge takes part',
  'bridge/14': 'the issuer does not let this right leave the chain',
};

/** `the route is paused`; an unknown code stays as it is. */
export function reasonWords(reason: string): string {
  return REASONS[reason] ?? reason;
}

/** RFC 3339 of nanoseconds since 1970, to the millisecond. A double is up to 128 ns off: whole microseconds come first. */
export function timeOfNs(ns: number): string {
  return new Date(Math.floor(Math.round(ns / 1_000) / 1_000)).toISOString();
}
