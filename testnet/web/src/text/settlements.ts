import type { Settlement, SettlementLeg } from '../../../../clients/ts/src/client.ts';

/** One of the things that change hands, equal ones summed. Units and amounts in base units. */
export type Thing =
  | { readonly what: 'coin'; readonly denom: string; readonly amount: bigint }
  | { readonly what: 'right'; readonly assetId: string; readonly kindId: number; readonly units: bigint }
  /** One unit of every kind of a bundle, `units` times. */
  | { readonly what: 'share'; readonly assetId: string; readonly kindId: number; readonly units: bigint }
  /** All rights of an asset whose kinds are not known yet. */
  | { readonly what: 'rights'; readonly assetId: string };

/** A settlement from the proposer's side. */
export interface Deal {
  readonly gives: readonly Thing[];
  readonly gets: readonly Thing[];
}

/**
 * Who gives what for what. `bundleOf` names the kinds that make a whole share of an asset: equal units of all of them are
 * said as shares. Undefined: they are not known yet, so that nothing is said of what would read differently then.
 */
export function dealOf(
  legs: readonly SettlementLeg[],
  bundleOf: (assetId: string) => readonly number[] | undefined,
): Deal {
  const side = (direction: SettlementLeg['direction']): readonly Thing[] =>
    inShares(sum(legs.filter((leg) => leg.direction === direction).map(thingOf)), bundleOf);
  return {
    gives: side('DIRECTION_PROPOSER_TO_COUNTERPARTY'),
    gets: side('DIRECTION_COUNTERPARTY_TO_PROPOSER'),
  };
}

/** Each once, in the order of the legs. */
export function assetsOf(legs: readonly SettlementLeg[]): readonly string[] {
  return [...new Set(legs.flatMap((leg) => ('right' in leg ? [leg.right.asset_id] : [])))];
}

function thingOf(leg: SettlementLeg): Thing {
  return 'right' in leg
    ? {
        what: 'right',
        assetId: leg.right.asset_id,
        kindId: leg.right.kind_id,
        units: BigInt(leg.right.units),
      }
    : { what: 'coin', denom: leg.coin.denom, amount: BigInt(leg.coin.amount) };
}

/** Names a thing without its size. */
export function thingKey(thing: Thing): string {
  if (thing.what === 'coin') return `coin/${thing.denom}`;
  return thing.what === 'rights'
    ? `rights/${thing.assetId}`
    : `${thing.what}/${thing.assetId}/${thing.kindId}`;
}

function sum(things: readonly Thing[]): readonly Thing[] {
  const byKey = new Map<string, Thing>();
  for (const thing of things) {
    const before = byKey.get(thingKey(thing));
    byKey.set(thingKey(thing), before === undefined ? thing : plus(before, thing));
  }
  return [...byKey.values()];
}

function plus(a: Thing, b: Thing): Thing {
  if (a.what === 'coin' && b.what === 'coin') return { ...a, amount: a.amount + b.amount };
  if (a.what === 'right' && b.what === 'right') return { ...a, units: a.units + b.units };
  return a;
}

function inShares(
  things: readonly Thing[],
  bundleOf: (assetId: string) => readonly number[] | undefined,
): readonly Thing[] {
  const ofAssets = new Map<string, Thing>();
  for (const thing of things) {
    if (thing.what !== 'right' || ofAssets.has(thing.assetId)) continue;
    const bundle = bundleOf(thing.assetId);
    if (bundle === undefined) ofAssets.set(thing.assetId, { what: 'rights', assetId: thing.assetId });
    else {
      const share = shareOf(things, thing.assetId, bundle);
      if (share !== undefined) ofAssets.set(thing.assetId, share);
    }
  }
  const isIn = (thing: Thing) =>
    thing.what === 'right' &&
    ofAssets.has(thing.assetId) &&
    bundleOf(thing.assetId)?.includes(thing.kindId) !== false;
  return [...ofAssets.values(), ...things.filter((thing) => !isIn(thing))];
}

function shareOf(things: readonly Thing[], assetId: string, bundle: readonly number[]): Thing | undefined {
  const unitsOf = (kindId: number | undefined): bigint | undefined =>
    things.flatMap((thing) =>
      thing.what === 'right' && thing.assetId === assetId && thing.kindId === kindId ? [thing.units] : [],
    )[0];
  const units = unitsOf(bundle[0]);
  // a bundle of one kind is that kind, and is said as it
  if (units === undefined || bundle.length < 2 || bundle.some((kindId) => unitsOf(kindId) !== units))
    return undefined;
  return { what: 'share', assetId, kindId: bundle[0] ?? 0, units };
}

type Tone = 'plain' | 'good' | 'warn' | 'bad';

export const SETTLEMENT_STATUS: Readonly<Record<Settlement['status'], readonly [word: string, tone: Tone]>> =
  {
    STATUS_PENDING: ['Pending', 'plain'],
    STATUS_SETTLED: ['Settled', 'good'],
    STATUS_CANCELLED: ['Cancelled', 'bad'],
    STATUS_EXPIRED: ['Expired', 'warn'],
  };

/** The statuses as the URL and the list's filter name them. */
export const SETTLEMENT_FILTERS = ['pending', 'settled', 'cancelled', 'expired'] as const;
export type SettlementFilter = (typeof SETTLEMENT_FILTERS)[number];

export function settlementFilter(text: string | undefined): SettlementFilter | undefined {
  return SETTLEMENT_FILTERS.find((filter) => filter === text);
}

export type SettlementStage =
  | 'open'
  /** Pending, but its time is over: the next block closes it. */
  | 'overdue'
  | 'settled'
  | 'cancelled'
  /** Cancelled by the chain, because one of its assets is being liquidated. */
  | 'liquidated'
  | 'expired';

export function stageOf(
  { status, cancel_reason, expiry }: Pick<Settlement, 'status' | 'cancel_reason' | 'expiry'>,
  nowMs: number,
): SettlementStage {
  switch (status) {
    case 'STATUS_PENDING':
      return Date.parse(expiry) <= nowMs ? 'overdue' : 'open';
    case 'STATUS_SETTLED':
      return 'settled';
    case 'STATUS_EXPIRED':
      return 'expired';
    case 'STATUS_CANCELLED':
      return cancel_reason === 'LIQUIDATION' ? 'liquidated' : 'cancelled';
  }
}

/** What the viewer is in it. */
export type PartIn = 'proposer' | 'counterparty' | 'none';

export function partIn(
  { proposer, counterparty }: Pick<Settlement, 'proposer' | 'counterparty'>,
  me: string | undefined,
): PartIn {
  if (me === counterparty) return 'counterparty';
  return me === proposer ? 'proposer' : 'none';
}

const OPEN_WORDS: Readonly<Record<PartIn, string>> = {
  counterparty:
    'You may accept it: then both sides change hands in one block, or nothing does. You or the proposer may cancel it.',
  proposer:
    'The counterparty may accept it: then both sides change hands in one block, or nothing does. Until then you or the counterparty may cancel it.',
  none: 'The counterparty may accept it: then both sides change hands in one block, or nothing does. Either party may cancel it until then.',
};

/** Who may do what now, or why nobody may do anything any more. */
export function stageWords(stage: SettlementStage, part: PartIn): string {
  switch (stage) {
    case 'open':
      return OPEN_WORDS[part];
    case 'overdue':
      return 'Its time is over and nobody can accept it any more. The chain closes it in its next block and gives back what the proposer has set aside.';
    case 'settled':
      return 'It is done: both sides changed hands in the same block. Nobody can change it any more.';
    case 'cancelled':
      return 'One of the two cancelled it before it was accepted. Nothing changed hands, and the proposer has back what was set aside.';
    case 'liquidated':
      return 'The chain cancelled it, because an asset in it went into liquidation: from then on its rights cannot be traded, and are paid out instead. Nothing changed hands, and the proposer has back what was set aside.';
    case 'expired':
      return 'Nobody accepted it in time. Nothing changed hands, and the proposer has back what was set aside.';
  }
}

export const SETTLEMENT_EVENTS = {
  proposed: 'Proposed',
  settled: 'Accepted and settled',
  cancelled: 'Cancelled',
  expired: 'Expired',
} as const;
