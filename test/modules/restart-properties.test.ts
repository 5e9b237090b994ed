import { expect, it } from 'vitest';
import type { DerivedTable } from '../../src/core/table.ts';
import { type Derivation, on } from '../../src/derive/derivation.ts';
import type { BlockFacts } from '../../src/derive/facts.ts';
import { ENCUMBRANCES } from '../../src/modules/encumbrance/tables.ts';
import { INCOME_ROUTES } from '../../src/modules/payout/tables.ts';
import { POSITIONS } from '../../src/modules/rights/tables.ts';
import type { NativeRow } from '../support/native-rows.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { factsByHand, type HandEvent } from './support/by-hand.ts';
import { DERIVATIONS, deriveAfter, deriveAll, expectSameRows, joined } from './support/derive.ts';
import { type Rows, versionsIn } from './support/versions.ts';

/**
 * Events of every module, made up at random out of a few names and numbers: in any order, of records that there are or
 * are not, that have ended, twice in a block, lies all the way. Derivation never fails, and a writer that starts anew
 * behind any block goes on as if it had not.
 */

const BLOCKS = 40;
const EVENTS = 12;
const LARGEST = String((1n << 255n) - 1n);

function eventsFrom(random: Random): () => HandEvent {
  const one = <T>(values: readonly T[]): T => values[random.between(0, values.length - 1)] as T;
  const asset = () => one(['a1', 'a1', 'a1', 'b2']).repeat(32);
  const kind = () => one([0, 0, 1]);
  const account = () => one(['ann', 'ben', 'cay', 'escrow']);
  const id = () => String(random.between(1, 6));
  const units = () => (random.between(0, 40) === 0 ? LARGEST : String(random.between(0, 12)));
  const flag = () => random.between(0, 1) === 1;
  const denom = () => one(['uusd', 'ueur']);
  const ref = () => `${one(['encumbrance', 'settlement'])}/${id()}`;
  const right = () => ({ asset_id: asset(), kind_id: kind() });
  const actor = () => ({ actor: account(), actor_role: 'holder' });
  const time = '2031-01-01T00:00:00Z';
  const ofRoute = () => ({ route_id: one(['r1', 'r2']), ...right(), bundle: false });
  const transfer = () => ({
    ...ofRoute(),
    sender: account(),
    recipient: account(),
    amount: units(),
    message_id: 'm',
  });
  const encumbrance = () => ({
    id: id(),
    ...right(),
    holder: account(),
    beneficiary: account(),
    units: units(),
  });
  const settlement = () => ({ id: id(), proposer: account(), counterparty: account(), asset_ids: [asset()] });
  const policy = () => ({
    mode: one(['POLICY_MODE_OPEN', '']),
    required_types: ['t'],
    attesters: [account()],
  });
  const limits = () => ({
    status: 'ROUTE_STATUS_ACTIVE',
    window_seconds: one(['0', '3', '7', '18446744073709551615']),
    outbound_limit: units(),
    inbound_limit: units(),
  });
  const made: readonly (() => HandEvent)[] = [
    () => [
      'asset.EventAssetCreated',
      {
        asset_id: asset(),
        issuer: account(),
        nonce: '0',
        status: 'ASSET_STATUS_ACTIVE',
        policy: policy(),
        roles: { operator: account(), releaser: '' },
        meta_hash: '',
        settlement_denom: denom(),
        liens_allowed: flag(),
        distribution_denoms: [denom()],
        kinds: [0, 1].map((kind_id) => ({
          kind_id,
          class: 'KIND_CLASS_INCOME',
          decimals: 0,
          bundle: true,
          transferable: flag(),
          term: { starts_at: one([time, '9999-12-31T23:59:59-01:00']) },
          multiplier: '1',
          bridgeable: flag(),
        })),
      },
    ],
    () => ['asset.EventPolicySet', { ...right(), policy: one([policy(), null]) }],
    () => [
      'asset.EventKindUpdated',
      { ...right(), transferable: flag(), multiplier: id(), bridgeable: flag() },
    ],
    () => [
      'rights.EventIssued',
      { ...right(), recipient: account(), units: units(), supply_after: '0', recipient_units_after: '0' },
    ],
    () => [
      'rights.EventTransferred',
      {
        ...right(),
        from: account(),
        to: account(),
        units: units(),
        from_units_after: '0',
        to_units_after: '0',
      },
    ],
    () => [
      'rights.EventRedeemed',
      { ...right(), holder: account(), units: units(), supply_after: '0', holder_units_after: '0' },
    ],
    () => [
      one(['rights.EventLocked', 'rights.EventUnlocked']),
      { ...right(), holder: account(), ref: ref(), units: units(), locked_after: '0' },
    ],
    () => [
      'payout.EventDistributed',
      {
        ...right(),
        denom: denom(),
        payer: account(),
        amount: units(),
        new_index: '0',
        carry_scaled: '0',
        supply: '0',
      },
    ],
    () => [
      'payout.EventClaimed',
      {
        ...right(),
        denom: denom(),
        holder: account(),
        routed_from: '',
        ref: one(['', ref()]),
        amount: units(),
      },
    ],
    () => [
      'settlement.EventProposed',
      { ...settlement(), legs: [{ right: { ...right(), units: units() } }], expiry: time, memo_hash: '' },
    ],
    () => [one(['settlement.EventSettled', 'settlement.EventExpired']), settlement()],
    () => ['settlement.EventCancelled', { ...settlement(), actor: '', reason: 'LIQUIDATION' }],
    () => [
      'encumbrance.EventCreated',
      {
        ...encumbrance(),
        ...actor(),
        kind: 'KIND_PLEDGE',
        income_to_beneficiary: flag(),
        exercisable: flag(),
        evidence_hash: '',
        expiry: one([time, null]),
      },
    ],
    () => ['encumbrance.EventReleased', { ...encumbrance(), ...actor(), remaining_units: units() }],
    () => ['encumbrance.EventExercised', { ...encumbrance(), ...actor() }],
    () => ['encumbrance.EventExpired', encumbrance()],
    () => [
      'attestation.EventAttested',
      { subject: account(), type: 'kyc', attester: account(), expiry: time, evidence_hash: '' },
    ],
    () => ['attestation.EventRevoked', { subject: account(), type: 'kyc', attester: account() }],
    () => [
      'delegation.EventDelegated',
      {
        id: id(),
        ...right(),
        holder: account(),
        units: units(),
        delegate: account(),
        until: time,
        purposes: ['PURPOSE_VOTE'],
        revocable: flag(),
      },
    ],
    () => [
      'delegation.EventEnded',
      {
        id: id(),
        ...right(),
        holder: account(),
        delegate: account(),
        reason: one(['END_REASON_REVOKED', 'x']),
      },
    ],
    () => [
      'waterfall.EventWaterfallSet',
      {
        asset_id: asset(),
        tiers: [0, 1, 2].flatMap((tier) => (flag() ? [{ tier, kind_id: kind(), cap: units() }] : [])),
      },
    ],
    () => ['waterfall.EventLiquidationBegan', { asset_id: asset(), denom: denom(), initiator: account() }],
    () => [
      'waterfall.EventFunded',
      { asset_id: asset(), payer: account(), denom: denom(), amount: units(), pool_after: '0' },
    ],
    () => [
      'waterfall.EventTierPaid',
      {
        ...right(),
        tier: random.between(0, 2),
        denom: denom(),
        amount: units(),
        cumulative_paid: '0',
        pool_after: '0',
      },
    ],
    () => [
      'waterfall.EventPoolOpened',
      { ...right(), denom: denom(), amount: units(), remaining_units: '0' },
    ],
    () => [
      'waterfall.EventPoolRedeemed',
      {
        ...right(),
        denom: denom(),
        holder: account(),
        units: units(),
        amount: '0',
        pool_after: '0',
        supply_after: '0',
        holder_units_after: '0',
      },
    ],
    () => ['waterfall.EventLiquidationClosed', { asset_id: asset(), returned: '0' }],
    () => [
      'bridge.EventRouteCreated',
      {
        ...ofRoute(),
        ...limits(),
        remote_domain: 1,
        remote_contract: '0x',
        direction: 'DIRECTION_RIGHT_OUT',
        local_denom: '',
        warp_token_id: '',
        display: '',
        exponent: 0,
        escrow_address: 'escrow',
      },
    ],
    () => ['bridge.EventRouteUpdated', { ...ofRoute(), ...limits() }],
    () => ['bridge.EventTransferOut', { ...transfer(), outbound_after: '0', outbound_used_after: '0' }],
    () => ['bridge.EventTransferIn', { ...transfer(), inbound_after: '0', inbound_used_after: '0' }],
    () => [
      'bridge.EventEscrowIncomeSwept',
      { ...ofRoute(), escrow_address: 'escrow', recipient: account(), denom: denom(), amount: units() },
    ],
  ];
  /** Now and then a field that no proto says. */
  const broken = ([type, fields]: HandEvent): HandEvent => {
    const name = one(Object.keys(fields));
    return [type, { ...fields, [name]: one([null, '-1', {}, ['x'], 1.5, '1e9', 'é\u0000 "\\']) }];
  };
  return () => (random.between(0, 20) === 0 ? broken(one(made)()) : one(made)());
}

function blocksOf(seed: number): readonly BlockFacts[] {
  const random = seededRandom(seed);
  const next = eventsFrom(random);
  return factsByHand(
    ...Array.from({ length: BLOCKS }, (_, i) => ({
      height: i + 1,
      time: BigInt(i + 1) * 1_000_000_000n,
      events: Array.from({ length: random.between(1, i < 3 ? 3 * EVENTS : EVENTS) }, next),
    })),
  );
}

const SEEDS = 8;

/** The newest version of each record, by its key. */
function newestIn(rows: Rows, { name, key }: DerivedTable): ReadonlyMap<string, NativeRow> {
  return new Map(
    (rows.get(name) ?? []).map((row) => [key.map((column) => String(row[column])).join(' '), row] as const),
  );
}

/** A record has one version a height at most. */
function expectOneVersionEach(rows: Rows, what: string): void {
  for (const { name, key } of DERIVATIONS.flatMap(({ tables }) => tables)) {
    if (key.length === 0) continue;
    const versions = (rows.get(name) ?? []).map((row) =>
      [...key, 'height'].map((column) => String(row[column])).join(' '),
    );
    expect(new Set(versions).size, `${what}: ${name}`).toBe(versions.length);
  }
}

/** What is routed are the units of the active encumbrances that route, whatever was told of others. */
function expectRoutesOfEncumbrances(rows: Rows, what: string): void {
  const routed = [...newestIn(rows, INCOME_ROUTES).values()].filter(({ units }) => units !== 0n);
  const active = [...newestIn(rows, ENCUMBRANCES).values()].filter(
    ({ units, income_to_beneficiary }) => units !== 0n && income_to_beneficiary === 1,
  );
  const named = (row: NativeRow, ref: unknown): string =>
    [ref, row.asset_id, row.kind_id, row.holder, row.beneficiary, row.units].join(' ');
  expect(routed.map((row) => named(row, row.ref)).sort(), what).toEqual(
    active.map((row) => named(row, `encumbrance/${row.id}`)).sort(),
  );
  const sums = new Map<string, bigint>();
  for (const { asset_id, kind_id, holder, units } of routed) {
    const key = [asset_id, kind_id, holder].join(' ');
    sums.set(key, (sums.get(key) ?? 0n) + (units as bigint));
  }
  for (const [key, { routed: found }] of newestIn(rows, POSITIONS)) {
    expect(found, `${what}: ${key}`).toBe(BigInt.asIntN(256, sums.get(key) ?? 0n));
  }
}

it('goes on behind every block as if it had not been started anew', async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const blocks = blocksOf(seed);
    let rows: Rows = new Map();
    for (const block of blocks) rows = joined(rows, await deriveAfter(versionsIn(rows), [block]));
    const whole = deriveAll(blocks);
    expect(whole.get('drift')?.length).toBeGreaterThan(BLOCKS);
    expectOneVersionEach(whole, `seed ${seed}`);
    expectRoutesOfEncumbrances(whole, `seed ${seed}`);
    expectSameRows(rows, whole, `seed ${seed}`);
  }
});

it('has the same rows and digests beside a module that follows events of its own', () => {
  const votes: Derivation = {
    module: 'votes',
    tables: [],
    reads: [],
    open: () => ({
      state: undefined,
      handlers: [
        on(
          {
            type: '.cosmos.group.v1.EventVote',
            read: () => ({}),
            subjects: () => ({ accounts: [], assets: [] }),
          },
          () => {},
        ),
      ],
      endBlock: () => {},
      restore: () => Promise.resolve(),
    }),
  };
  const vote = {
    type: 'cosmos.group.v1.EventVote',
    txIndex: -1,
    eventIndex: 0,
    txHash: undefined,
    decoded: '{}',
  };
  const blocks = blocksOf(1);
  const kept = DERIVATIONS.map(({ module }) => module).filter((module) => module !== 'activity');
  const beside = deriveAll(
    blocks.map((block) => ({ ...block, events: [vote, ...block.events] })),
    { kept, derivations: [...DERIVATIONS, votes] },
  );
  expectSameRows(beside, deriveAll(blocks, { kept }), 'beside votes');
});
