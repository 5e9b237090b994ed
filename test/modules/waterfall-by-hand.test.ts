import { encodeBech32 } from 'strata-kit/address';
import { describe, expect, it } from 'vitest';
import { shareOfUnits, sharesOf } from '../../src/modules/waterfall/payments.ts';
import { columnsOf, driftOf, factsByHand, type HandBlock, type HandEvent } from './support/by-hand.ts';
import { deriveAfter, deriveAll } from './support/derive.ts';
import { type Rows, versionsIn } from './support/versions.ts';

/** Rule 10 of modules.md with figures reckoned by hand: the worked example of docs/devnet.md, and what lies leave. */

/** modules.md, section 1: the asset that twenty bytes of 0x11 create first. */
const ASSET = '472937304b8fe0f9b158105de5a16c5a36f7e42c39dc03b3c0eef0e90960a38a';
const KIND = {
  class: 'KIND_CLASS_ECONOMIC',
  decimals: 6,
  bundle: false,
  transferable: true,
  term: null,
  multiplier: '1',
  bridgeable: false,
};
const CREATED: HandEvent = [
  'asset.EventAssetCreated',
  {
    asset_id: ASSET,
    issuer: encodeBech32('aeva', new Uint8Array(20).fill(0x11)),
    nonce: '0',
    status: 'ASSET_STATUS_ACTIVE',
    policy: { mode: 'POLICY_MODE_OPEN', required_types: [], attesters: [] },
    roles: { operator: '', releaser: '' },
    meta_hash: '',
    settlement_denom: 'uusd',
    liens_allowed: false,
    distribution_denoms: [],
    kinds: [0, 1, 2].map((kind_id) => ({ ...KIND, kind_id })),
  },
];
const issued = (kind_id: number, recipient: string, units: number, supply = units): HandEvent => [
  'rights.EventIssued',
  {
    asset_id: ASSET,
    kind_id,
    recipient,
    units: String(units),
    supply_after: String(supply),
    recipient_units_after: String(units),
  },
];
const set = (...tiers: readonly (readonly [tier: number, kindId: number, cap: number])[]): HandEvent => [
  'waterfall.EventWaterfallSet',
  { asset_id: ASSET, tiers: tiers.map(([tier, kind_id, cap]) => ({ tier, kind_id, cap: String(cap) })) },
];
const BEGAN: HandEvent = [
  'waterfall.EventLiquidationBegan',
  { asset_id: ASSET, denom: 'uusd', initiator: 'aeva1op' },
];
const funded = (amount: number, pool: number): HandEvent => [
  'waterfall.EventFunded',
  { asset_id: ASSET, payer: 'aeva1cleo', denom: 'uusd', amount: String(amount), pool_after: String(pool) },
];
const paid = (tier: number, kind_id: number, amount: number, cumulative: number, pool: number): HandEvent => [
  'waterfall.EventTierPaid',
  {
    asset_id: ASSET,
    tier,
    kind_id,
    denom: 'uusd',
    amount: String(amount),
    cumulative_paid: String(cumulative),
    pool_after: String(pool),
  },
];
const opened = (kind_id: number, amount: number, units: number): HandEvent => [
  'waterfall.EventPoolOpened',
  { asset_id: ASSET, kind_id, denom: 'uusd', amount: String(amount), remaining_units: String(units) },
];
const redeemed = (
  kind_id: number,
  holder: string,
  units: number,
  amount: number,
  pool: number,
  [supply, left]: readonly [supply: number, left: number],
): HandEvent => [
  'waterfall.EventPoolRedeemed',
  {
    asset_id: ASSET,
    kind_id,
    denom: 'uusd',
    holder,
    units: String(units),
    amount: String(amount),
    pool_after: String(pool),
    supply_after: String(supply),
    holder_units_after: String(left),
  },
];
const closed = (returned: number): HandEvent => [
  'waterfall.EventLiquidationClosed',
  { asset_id: ASSET, returned: String(returned) },
];

/** Block 1: supplies of 150 (Ada 100, Ben 50), 100 and 100 (Ada); a block each for what follows. */
function blocks(...events: readonly (readonly HandEvent[])[]): HandBlock[] {
  const before = [
    CREATED,
    issued(0, 'aeva1ada', 100),
    issued(0, 'aeva1ben', 50, 150),
    issued(1, 'aeva1ada', 100),
    issued(2, 'aeva1ada', 100),
  ];
  return [before, ...events].map((of, i) => ({
    height: i + 1,
    time: `2026-01-01T00:00:0${i}Z`,
    events: of,
  }));
}

const derive = (...events: readonly (readonly HandEvent[])[]): Rows =>
  deriveAll(factsByHand(...blocks(...events)));
const liquidations = (rows: Rows) => columnsOf(rows, 'liquidations', 'height', 'pool', 'closed_height');
const payments = (rows: Rows) =>
  columnsOf(rows, 'tier_payments', 'height', 'tier', 'denom', 'cumulative_paid');
const pools = (rows: Rows) =>
  columnsOf(
    rows,
    'redemption_pools',
    ...['height', 'kind_id', 'amount', 'units', 'remaining_amount', 'remaining_units'],
  );

const TIERS = set([10, 1, 200], [20, 2, 100], [30, 0, 0]);
const FIRST = [funded(150, 150), paid(10, 1, 150, 150, 0), opened(1, 150, 100)];
/** floor(150 · 40 / 100) */
const FORTY = redeemed(1, 'aeva1ada', 40, 60, 90, [60, 60]);
const SECOND = [
  funded(200, 200),
  paid(10, 1, 50, 200, 150),
  opened(1, 50, 60),
  paid(20, 2, 100, 100, 50),
  opened(2, 100, 100),
  paid(30, 0, 50, 50, 0),
  opened(0, 50, 150),
];
/** floor(140 · 7 / 60), floor(50 · 50 / 150) */
const ROUNDED = [
  redeemed(1, 'aeva1ada', 7, 16, 124, [53, 53]),
  redeemed(0, 'aeva1ben', 50, 16, 34, [100, 0]),
];
const REST = [
  redeemed(1, 'aeva1ada', 53, 124, 0, [0, 0]),
  redeemed(2, 'aeva1ada', 100, 100, 0, [0, 0]),
  funded(10, 10),
  paid(30, 0, 10, 60, 0),
  opened(0, 10, 100),
];
const LAST = [redeemed(0, 'aeva1ada', 100, 44, 0, [0, 0]), closed(0)];
const STORY = [[TIERS, BEGAN], FIRST, [FORTY], SECOND, ROUNDED, REST, LAST];

describe('a liquidation of three tiers', () => {
  it('pays in order up to the caps, tops pools up between redemptions, and passes over what has no supply', () => {
    const rows = derive(...STORY);
    expect(driftOf(rows)).toEqual([]);
    expect(columnsOf(rows, 'waterfall_tiers', 'height', 'tier', 'kind_id', 'cap', 'dropped')).toEqual([
      [2, 10, 1, 200, 0],
      [2, 20, 2, 100, 0],
      [2, 30, 0, 0, 0],
    ]);
    expect(liquidations(rows)).toEqual([
      [2, 0, 0],
      [3, 0, 0],
      [5, 0, 0],
      [7, 0, 0],
      [8, 0, 8],
    ]);
    expect(payments(rows)).toEqual([
      [3, 10, 'uusd', 150],
      [5, 10, 'uusd', 200],
      [5, 20, 'uusd', 100],
      [5, 30, 'uusd', 50],
      [7, 30, 'uusd', 60],
    ]);
    expect(pools(rows)).toEqual([
      [3, 1, 150, 100, 150, 100],
      [4, 1, 150, 100, 90, 60],
      [5, 1, 200, 100, 140, 60],
      [5, 2, 100, 100, 100, 100],
      [5, 0, 50, 150, 50, 150],
      [6, 1, 200, 100, 124, 53],
      [6, 0, 50, 150, 34, 100],
      [7, 1, 200, 100, 0, 0],
      [7, 2, 100, 100, 0, 0],
      [7, 0, 60, 150, 44, 100],
      [8, 0, 60, 150, 0, 0],
    ]);
  });

  it('goes on behind a restart at any height', async () => {
    const facts = factsByHand(...blocks(...STORY));
    for (let height = 1; height < facts.length; height++) {
      const after = await deriveAfter(versionsIn(deriveAll(facts.slice(0, height))), facts.slice(height));
      expect(driftOf(after), `from ${height} on`).toEqual([]);
      expect(pools(after).at(-1)).toEqual([8, 0, 60, 150, 0, 0]);
    }
  });
});

describe('what is left in the pool', () => {
  // 25 of which the one tier takes 10
  const begin = [
    [set([1, 1, 10]), BEGAN],
    [funded(25, 25), paid(1, 1, 10, 10, 15), opened(1, 10, 100)],
  ];

  it('waits, counts towards the next Fund, and goes back at the close', () => {
    const rows = derive(...begin, [funded(5, 20)], [closed(20)]);
    expect(driftOf(rows)).toEqual([]);
    expect(liquidations(rows)).toEqual([
      [2, 0, 0],
      [3, 15, 0],
      [4, 20, 0],
      [5, 0, 5],
    ]);
  });

  it('leaves redemption pools as they are, which are redeemed after the close', () => {
    // floor(10 · 33 / 100)
    const rows = derive(...begin, [closed(15)], [redeemed(1, 'aeva1ada', 33, 3, 7, [67, 67])]);
    expect(driftOf(rows)).toEqual([]);
    expect(pools(rows).at(-1)).toEqual([5, 1, 10, 100, 7, 67]);
    expect(liquidations(rows).at(-1)).toEqual([4, 0, 4]);
  });
});

describe('a waterfall that is set anew', () => {
  it('drops the tiers that it does not have', () => {
    const rows = derive([set([1, 0, 5], [2, 1, 6])], [set([2, 2, 7], [3, 0, 8])]);
    expect(columnsOf(rows, 'waterfall_tiers', 'height', 'tier', 'kind_id', 'cap', 'dropped')).toEqual([
      [2, 1, 0, 5, 0],
      [2, 2, 1, 6, 0],
      [3, 1, 0, 0, 1],
      [3, 2, 2, 7, 0],
      [3, 3, 0, 8, 0],
    ]);
  });
});

describe('what events tell', () => {
  it('is held against what is derived, which stands', () => {
    const rows = derive(
      [TIERS, BEGAN],
      [funded(150, 151), paid(10, 1, 149, 152, 3), opened(1, 148, 99)],
      [redeemed(1, 'aeva1ada', 40, 61, 91, [60, 60])],
      [closed(7)],
    );
    expect(driftOf(rows)).toEqual([
      [3, 0, 'pool_after', '150', '151'],
      [3, 1, 'amount', '150', '149'],
      [3, 1, 'cumulative_paid', '150', '152'],
      [3, 1, 'pool_after', '0', '3'],
      [3, 2, 'amount', '150', '148'],
      [3, 2, 'remaining_units', '100', '99'],
      [4, 0, 'amount', '60', '61'],
      [4, 0, 'pool_after', '90', '91'],
      [5, 0, 'returned', '0', '7'],
    ]);
    expect(pools(rows)).toEqual([
      [3, 1, 150, 100, 150, 100],
      [4, 1, 150, 100, 90, 60],
    ]);
  });

  it('of a payment that was not due is drift, and pays nothing', () => {
    const rows = derive([TIERS, BEGAN], [...FIRST, paid(20, 2, 5, 5, 0), opened(1, 5, 100)]);
    expect(driftOf(rows)).toEqual([
      [3, 3, 'amount', '0', '5'],
      [3, 3, 'cumulative_paid', '0', '5'],
      [3, 4, 'amount', '0', '5'],
    ]);
    expect(payments(rows)).toEqual([[3, 10, 'uusd', 150]]);
  });

  it('of what nobody told of is one drift row, and nothing else', () => {
    const rows = derive(
      [BEGAN, funded(1, 1), closed(0), redeemed(7, 'aeva1ada', 1, 0, 0, [99, 99])],
      [TIERS, BEGAN, paid(7, 1, 1, 1, 0), opened(2, 1, 100)],
    );
    expect(driftOf(rows)).toEqual([
      ...[0, 1, 2, 3].map((txIndex) => [2, txIndex, 'record', '', '']),
      ...[2, 3].map((txIndex) => [3, txIndex, 'record', '', '']),
    ]);
    expect(liquidations(rows)).toEqual([[3, 0, 0]]);
    expect(columnsOf(rows, 'positions', 'height').every(([height]) => height === 1)).toBe(true);
  });

  it('of a redemption of an unknown pool moves the units, and its pool is one drift row', () => {
    const rows = derive([redeemed(1, 'aeva1ada', 30, 5, 0, [70, 71])]);
    expect(columnsOf(rows, 'drift', 'module', 'field', 'derived', 'told')).toEqual([
      ['rights', 'holder_units_after', '70', '71'],
      ['waterfall', 'record', '', ''],
    ]);
    expect(columnsOf(rows, 'positions', 'height', 'kind_id', 'units').at(-1)).toEqual([2, 1, 70]);
    expect(columnsOf(rows, 'kind_totals', 'height', 'kind_id', 'supply').at(-1)).toEqual([2, 1, 70]);
    expect(pools(rows)).toEqual([]);
  });

  it('of a Fund without the payments that follow is one drift row for each that is missing', () => {
    const lost = (rows: Rows) =>
      columnsOf(rows, 'drift', 'height', 'tx_index', 'event_index', 'type', 'field', 'derived', 'told');
    const of = (txIndex: number, type: string, amount: number) => [
      ...[3, txIndex, 4, `aeva.waterfall.v1.${type}`, 'amount', String(amount), ''],
    ];
    const [fund, tier, pool] = FIRST as [HandEvent, HandEvent, HandEvent];
    expect(lost(derive([TIERS, BEGAN], [fund, pool]))).toEqual([of(0, 'EventTierPaid', 150)]);
    expect(lost(derive([TIERS, BEGAN], [fund, tier]))).toEqual([of(0, 'EventPoolOpened', 150)]);
    // the events of a second Fund are not taken for those of the first
    const next = [funded(50, 50), paid(10, 1, 50, 200, 0), opened(1, 50, 100)];
    const rows = derive([TIERS, BEGAN], [fund, ...next]);
    expect(lost(rows)).toEqual([of(0, 'EventTierPaid', 150), of(0, 'EventPoolOpened', 150)]);
    expect(payments(rows)).toEqual([[3, 10, 'uusd', 200]]);
  });

  it('of a waterfall of no asset is one drift row', () => {
    const rows = deriveAll(factsByHand({ height: 1, time: '2026-01-01T00:00:00Z', events: [TIERS] }));
    expect(driftOf(rows)).toEqual([[1, 0, 'record', '', '']]);
  });
});

describe('shares', () => {
  const tiers = [1, 2, 3].map((tier) => ({ tier, kindId: tier, cap: tier === 3 ? 0n : 10n }));

  it('fill what is left of a cap, two tiers of one kind one after the other', () => {
    const shares = sharesOf(
      tiers.map((tier) => ({ ...tier, kindId: 0 })),
      30n,
      (tier) => (tier === 1 ? 4n : 0n),
      () => 1n,
    );
    expect(
      shares.map(({ tier, amount, cumulativePaid, poolAfter }) => [tier, amount, cumulativePaid, poolAfter]),
    ).toEqual([
      [1, 6n, 10n, 24n],
      [2, 10n, 10n, 14n],
      [3, 14n, 14n, 0n],
    ]);
  });

  it('are none of a full tier, of a kind without a supply, and of less than nothing', () => {
    const of = (pool: bigint, supplies: readonly bigint[]) =>
      sharesOf(
        tiers,
        pool,
        () => 10n,
        (kindId) => supplies[kindId - 1] ?? 0n,
      ).map(({ tier }) => tier);
    expect(of(5n, [1n, 1n, 1n])).toEqual([3]);
    expect(of(5n, [1n, 1n, 0n])).toEqual([]);
    expect(of(-5n, [1n, 1n, 1n])).toEqual([]);
  });

  it('of units are rounded down, and nothing where no units are left', () => {
    const pool = { denom: 'uusd', amount: 1n, units: 100n, remainingAmount: 1n, remainingUnits: 100n };
    expect([99n, 100n].map((units) => shareOfUnits(pool, units))).toEqual([0n, 1n]);
    expect(shareOfUnits({ ...pool, remainingUnits: 0n }, 1n)).toBe(0n);
    // after lies: floor(1 · 1 / −100)
    expect(shareOfUnits({ ...pool, remainingUnits: -100n }, 1n)).toBe(-1n);
  });

  it('does not begin again, and one that is closed stays closed', () => {
    const rows = derive(
      [set([0, 0, 10])],
      [BEGAN],
      [funded(40, 40), paid(0, 0, 10, 10, 30), opened(0, 10, 150)],
      [BEGAN],
      [closed(30)],
      [BEGAN, funded(5, 5), closed(5)],
    );
    expect(driftOf(rows)).toEqual([
      [5, 0, 'status', 'ASSET_STATUS_LIQUIDATING', 'ASSET_STATUS_ACTIVE'],
      [7, 0, 'status', 'ASSET_STATUS_LIQUIDATED', 'ASSET_STATUS_ACTIVE'],
      [7, 1, 'status', 'ASSET_STATUS_LIQUIDATED', 'ASSET_STATUS_LIQUIDATING'],
      [7, 2, 'status', 'ASSET_STATUS_LIQUIDATED', 'ASSET_STATUS_LIQUIDATING'],
    ]);
    expect(columnsOf(rows, 'liquidations', 'height', 'began_height', 'pool', 'closed_height')).toEqual([
      [3, 3, 0, 0],
      [4, 3, 30, 0],
      [6, 3, 0, 6],
    ]);
  });
});
