import type { Json } from 'strata-kit/proto-json';

/**
 * Settlements, encumbrances, delegations, liquidations and the bridge's counters from events alone, by the letter of
 * modules.md (rules 6 to 10) and as plainly as can be. Nothing of the chain's own code is used.
 */
export interface DealsFromEvents {
  apply(type: string, fields: Fields, timeNs: bigint): void;
  settlements(): Map<string, string>;
  /** Units still locked and status. */
  encumbrances(): Map<string, string>;
  delegations(): Map<string, string>;
  /** By asset: what is in the pool. */
  pools(): Map<string, string>;
  /** By asset and kind: amount, units, remaining amount, remaining units. */
  redemptionPools(): Map<string, string>;
  /** Outbound and inbound, and how much of both is used at the time. */
  routes(timeNs: bigint): Map<string, string>;
  /** Each event that told another value, in words. */
  readonly wrong: string[];
}

type Fields = Readonly<Record<string, Json>>;

interface Tier {
  readonly tier: number;
  readonly kind: string;
  readonly cap: bigint;
  paid: bigint;
}

interface Flow {
  total: bigint;
  limit: bigint;
  used: bigint;
  window: bigint;
}

interface Route {
  readonly out: Flow;
  readonly in: Flow;
  seconds: bigint;
}

interface RedemptionPool {
  amount: bigint;
  readonly units: bigint;
  remainingAmount: bigint;
  remainingUnits: bigint;
}

const ENDS: Readonly<Record<string, string>> = {
  'settlement.EventSettled': 'STATUS_SETTLED',
  'settlement.EventCancelled': 'STATUS_CANCELLED',
  'settlement.EventExpired': 'STATUS_EXPIRED',
  'encumbrance.EventReleased': 'STATUS_RELEASED',
  'encumbrance.EventExercised': 'STATUS_EXERCISED',
  'encumbrance.EventExpired': 'STATUS_EXPIRED',
};

export function createDealsFromEvents(): DealsFromEvents {
  const settlements = new Map<string, string>();
  const encumbrances = new Map<string, { left: bigint; status: string }>();
  const delegations = new Map<string, string>();
  const supplies = new Map<string, bigint>();
  const tiers = new Map<string, Tier[]>();
  const pools = new Map<string, bigint>();
  const redemptionPools = new Map<string, RedemptionPool>();
  const routes = new Map<string, Route>();
  const wrong: string[] = [];
  /** What a Fund must be followed by. */
  let next: string[] = [];

  function same(what: string, told: Json | undefined, reckoned: bigint | string): void {
    if (String(told) !== String(reckoned)) wrong.push(`${what}: ${told} was told, ${reckoned} reckoned`);
  }

  function found<V>(map: ReadonlyMap<string, V>, key: string, type: string): V {
    const value = map.get(key);
    if (value === undefined) throw new Error(`${type}: nobody told of ${key}`);
    return value;
  }

  const windowAt = (seconds: bigint, timeNs: bigint) =>
    seconds === 0n ? 0n : timeNs / 1_000_000_000n / seconds;
  const usedAt = ({ used, window }: Flow, seconds: bigint, timeNs: bigint) =>
    window === windowAt(seconds, timeNs) ? used : 0n;

  function pass(route: Route, flow: Flow, amount: bigint, timeNs: bigint): void {
    flow.total += amount;
    if (route.seconds === 0n) return;
    flow.used = usedAt(flow, route.seconds, timeNs) + amount;
    flow.window = windowAt(route.seconds, timeNs);
    if (flow.used > flow.limit) wrong.push(`${flow.used} passed under a limit of ${flow.limit}`);
  }

  /** Tiers in order, up to their caps, but for kinds without a supply. */
  function payments(asset: string, funds: bigint): string[] {
    let pool = funds;
    return [...found(tiers, asset, 'EventFunded')]
      .sort((a, b) => a.tier - b.tier)
      .flatMap(({ tier, kind, cap, paid }) => {
        if ((supplies.get(kind) ?? 0n) === 0n) return [];
        const amount = cap === 0n || cap - paid > pool ? pool : cap - paid;
        pool -= amount;
        return amount === 0n ? [] : [`${tier} ${amount} ${paid + amount} ${pool}`];
      });
  }

  const handlers: Readonly<
    Record<string, (text: (name: string) => string, fields: Fields, timeNs: bigint, type: string) => void>
  > = {
    'settlement.EventProposed': (text) => settlements.set(text('id'), 'STATUS_PENDING'),
    'encumbrance.EventCreated': (text) =>
      encumbrances.set(text('id'), { left: BigInt(text('units')), status: 'STATUS_ACTIVE' }),
    'delegation.EventDelegated': (text) => delegations.set(text('id'), 'END_REASON_UNSPECIFIED'),
    'delegation.EventEnded': (text, _, __, type) => {
      same(type, found(delegations, text('id'), type), 'END_REASON_UNSPECIFIED');
      delegations.set(text('id'), text('reason'));
    },
    'rights.EventIssued': (text) => supplies.set(kindOf(text), BigInt(text('supply_after'))),
    'rights.EventRedeemed': (text) => supplies.set(kindOf(text), BigInt(text('supply_after'))),
    'waterfall.EventWaterfallSet': (text, fields) =>
      tiers.set(
        text('asset_id'),
        (fields.tiers as readonly Fields[]).map(({ tier, kind_id, cap }) => ({
          tier: Number(tier),
          kind: `${text('asset_id')} ${kind_id}`,
          cap: BigInt(String(cap)),
          paid: 0n,
        })),
      ),
    'waterfall.EventLiquidationBegan': (text) => pools.set(text('asset_id'), 0n),
    'waterfall.EventFunded': (text, { pool_after }, _, type) => {
      const asset = text('asset_id');
      const pool = found(pools, asset, type) + BigInt(text('amount'));
      pools.set(asset, pool);
      same(type, pool_after, pool);
      same(type, next.join(), '');
      next = payments(asset, pool);
    },
    'waterfall.EventTierPaid': (text, { pool_after }, _, type) => {
      const [asset, amount] = [text('asset_id'), BigInt(text('amount'))];
      same(type, next.shift(), `${text('tier')} ${amount} ${text('cumulative_paid')} ${pool_after}`);
      const tier = found(tiers, asset, type).find((each) => String(each.tier) === text('tier'));
      if (tier !== undefined) tier.paid += amount;
      same(type, kindOf(text), tier?.kind ?? 'no such tier');
      pools.set(asset, found(pools, asset, type) - amount);
    },
    'waterfall.EventPoolOpened': (text, { remaining_units }, _, type) => {
      const units = supplies.get(kindOf(text)) ?? 0n;
      const none = { amount: 0n, units, remainingAmount: 0n, remainingUnits: units };
      const pool = redemptionPools.get(kindOf(text)) ?? none;
      redemptionPools.set(kindOf(text), pool);
      pool.amount += BigInt(text('amount'));
      pool.remainingAmount += BigInt(text('amount'));
      same(type, remaining_units, pool.remainingUnits);
    },
    'waterfall.EventPoolRedeemed': (text, { amount, pool_after }, _, type) => {
      const pool = found(redemptionPools, kindOf(text), type);
      const paid = (pool.remainingAmount * BigInt(text('units'))) / pool.remainingUnits;
      pool.remainingAmount -= paid;
      pool.remainingUnits -= BigInt(text('units'));
      same(type, amount, paid);
      same(type, pool_after, pool.remainingAmount);
      supplies.set(kindOf(text), BigInt(text('supply_after')));
    },
    'waterfall.EventLiquidationClosed': (text, { returned }, _, type) => {
      same(type, returned, found(pools, text('asset_id'), type));
      pools.set(text('asset_id'), 0n);
    },
    'bridge.EventRouteCreated': (text) => {
      const flow = (limit: string): Flow => ({ total: 0n, limit: BigInt(limit), used: 0n, window: 0n });
      routes.set(text('route_id'), {
        out: flow(text('outbound_limit')),
        in: flow(text('inbound_limit')),
        seconds: BigInt(text('window_seconds')),
      });
    },
    'bridge.EventRouteUpdated': (text, _, __, type) => {
      const route = found(routes, text('route_id'), type);
      route.out.limit = BigInt(text('outbound_limit'));
      route.in.limit = BigInt(text('inbound_limit'));
      const seconds = BigInt(text('window_seconds'));
      if (seconds !== route.seconds) for (const flow of [route.out, route.in]) flow.used = 0n;
      route.seconds = seconds;
    },
    'bridge.EventTransferOut': (text, fields, timeNs, type) => {
      const route = found(routes, text('route_id'), type);
      pass(route, route.out, BigInt(text('amount')), timeNs);
      same(type, fields.outbound_after, route.out.total);
      same(type, fields.outbound_used_after, route.out.used);
    },
    'bridge.EventTransferIn': (text, fields, timeNs, type) => {
      const route = found(routes, text('route_id'), type);
      pass(route, route.in, BigInt(text('amount')), timeNs);
      same(type, fields.inbound_after, route.in.total);
      same(type, fields.inbound_used_after, route.in.used);
    },
  };

  /** The end of a settlement or an encumbrance, or of a part of one. */
  function end(type: string, text: (name: string) => string, status: string): void {
    if (type.startsWith('settlement.')) {
      same(type, found(settlements, text('id'), type), 'STATUS_PENDING');
      settlements.set(text('id'), status);
      return;
    }
    const record = found(encumbrances, text('id'), type);
    same(type, record.status, 'STATUS_ACTIVE');
    record.left -= BigInt(text('units'));
    same(type, type === 'encumbrance.EventReleased' ? text('remaining_units') : '0', record.left);
    if (record.left === 0n) record.status = status;
  }

  return {
    wrong,
    apply(type, fields, timeNs) {
      const text = (name: string) => String(fields[name]);
      const status = ENDS[type];
      if (status !== undefined) end(type, text, status);
      else handlers[type]?.(text, fields, timeNs, type);
    },
    settlements: () => settlements,
    encumbrances: () => mapped(encumbrances, ({ left, status }) => `${left} ${status}`),
    delegations: () => delegations,
    pools: () => mapped(pools, String),
    redemptionPools: () =>
      mapped(redemptionPools, ({ amount, units, remainingAmount, remainingUnits }) =>
        [amount, units, remainingAmount, remainingUnits].join(' '),
      ),
    routes: (timeNs) =>
      mapped(routes, ({ out, in: inbound, seconds }) =>
        [out.total, inbound.total, usedAt(out, seconds, timeNs), usedAt(inbound, seconds, timeNs)].join(' '),
      ),
  };
}

function kindOf(text: (name: string) => string): string {
  return `${text('asset_id')} ${text('kind_id')}`;
}

function mapped<V>(map: ReadonlyMap<string, V>, print: (value: V) => string): Map<string, string> {
  return new Map([...map].map(([key, value]) => [key, print(value)]));
}
