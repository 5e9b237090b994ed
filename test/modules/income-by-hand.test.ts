import { describe, expect, it } from 'vitest';
import { distribute, pendingIncome } from '../../src/modules/payout/income.ts';
import { DISTRIBUTIONS, INCOME_ROUTES } from '../../src/modules/payout/tables.ts';
import { HOLDER_ORDER, KIND_TOTALS, LOCKS, POSITIONS } from '../../src/modules/rights/tables.ts';
import { deriveAll } from './support/derive.ts';
import { blockOf, columnsOf, type ToldEvent, tell, tellAtEnd } from './support/hand-written.ts';
import {
  ASSET,
  account,
  accrualsIn,
  claimed,
  created,
  distributed,
  driftOf,
  ISSUER,
  issued,
  lockChanged,
  moved,
  pledged,
  pledgeEnded,
  redeemed,
  settledIn,
} from './support/income.ts';
import type { Rows } from './support/versions.ts';

/**
 * Examples worked by hand (modules.md section 6): every number is a literal. What claims are told to have paid is held
 * against what is derived, so that a wrong one is a row of drift.
 */

const [ANN, BEN, CAY] = [account(0xa1), account(0xb2), account(0xc3)];

/** A block each. */
const derived = (...blocks: readonly (readonly ToldEvent[])[]): Rows =>
  deriveAll(blocks.map((events, i) => blockOf(i + 1, ...events)));

/** Ann has 2 of 3 units, Ben 1. */
const THREE = [created(), issued(ANN, 2, 2, 2), issued(BEN, 1, 3, 1)];
const FIRST = distributed('uusd', 1, 333333333333333333n, 1, 3);
const SECOND = distributed('uusd', 1, 666666666666666666n, 2, 3);

describe('income', () => {
  it('of a route that is over stays paid, whatever is told of it later', () => {
    const ref = 'encumbrance/1';
    const release = pledgeEnded('EventReleased', 1, ANN, BEN, 1, 0);
    const rows = derived(
      [...THREE, pledged(1, ANN, BEN, 1)],
      [distributed('uusd', 3, 1000000000000000000n, 0, 3), release, claimed(BEN, 'uusd', 1, ref, ANN)],
      // the writer holds nothing of the route any more
      [claimed(BEN, 'uusd', 2, ref, ANN), claimed(BEN, 'uusd', 2, 'encumbrance/2', ANN)],
      [release, pledged(1, ANN, BEN, 1)],
      // one of Ann's two units was pledged when income came
      [claimed(ANN, 'uusd', 1)],
    );
    expect(driftOf(rows)).toEqual([
      ['3', 'aeva.payout.v1.EventClaimed', 'amount', '0', '2'],
      ['3', 'aeva.payout.v1.EventClaimed', 'record', '', ''],
      ['4', 'aeva.encumbrance.v1.EventReleased', 'status', 'released', 'active'],
      ['4', 'aeva.encumbrance.v1.EventCreated', 'record', '', ''],
    ]);
    expect(columnsOf(rows, INCOME_ROUTES, ['ref', 'height', 'units'])).toEqual([
      [ref, '1', '1'],
      [ref, '2', '0'],
    ]);
  });

  it('of 1 and 1 to 3 units: who was not touched has 1 of 2 units', () => {
    const rows = derived(THREE, [FIRST], [SECOND], [claimed(ANN, 'uusd', 1)]);
    expect(driftOf(rows)).toEqual([]);
    expect(settledIn(rows)).toEqual(new Map([[`${ANN}  uusd`, '666666666666666666/0']]));
    expect(accrualsIn(rows).get('uusd')).toEqual({
      index: 666666666666666666n,
      carryScaled: 2n,
      totalDistributed: 2n,
      totalPaid: 1n,
    });
  });

  it('of the same with a touch in between is 0', () => {
    const touch = [moved(ANN, BEN, 1, 1, 2), moved(BEN, ANN, 1, 1, 2)];
    const rows = derived(THREE, [FIRST], touch, [SECOND], [claimed(ANN, 'uusd', 1)]);
    expect(driftOf(rows)).toEqual([['5', 'aeva.payout.v1.EventClaimed', 'amount', '0', '1']]);
    expect(settledIn(rows).get(`${ANN}  uusd`)).toBe('666666666666666666/0');
  });

  it('carries what does not divide: 10 to 7 units, then 4 to 8', () => {
    // 10/7 = 1.428571428571428571, rest 3; (4·10^18 + 3)/8 = 0.5, rest 3
    const rows = derived(
      [created(), issued(ANN, 7, 7, 7)],
      [distributed('uusd', 10, 1428571428571428571n, 3, 7)],
      [issued(BEN, 1, 8, 1)],
      [distributed('uusd', 4, 1928571428571428571n, 3, 8)],
      // Ann: floor(7 · 1.928571428571428571) = floor(13.499999999999999997); Ben: floor(0.5) = 0
      [claimed(ANN, 'uusd', 13)],
    );
    expect(driftOf(rows)).toEqual([]);
    expect(settledIn(rows).get(`${BEN}  uusd`)).toBe('1428571428571428571/0');
    expect(
      columnsOf(rows, DISTRIBUTIONS, ['height', 'amount', 'new_index', 'carry_scaled', 'supply', 'payer']),
    ).toEqual([
      ['2', '10', '1428571428571428571', '3', '7', ISSUER],
      ['4', '4', '1928571428571428571', '3', '8', ISSUER],
    ]);
  });

  it('is that of a whole supply in each denom by itself', () => {
    const rows = derived(
      [created(), issued(ANN, 10, 10, 10)],
      [distributed('aaeva', 50, 5000000000000000000n, 0, 10)],
      [moved(ANN, BEN, 4, 6, 4)],
      [distributed('uusd', 20, 2000000000000000000n, 0, 10)],
      // a denom that is new to a basis begins at 0; what Ben has of the other begins at his first units
      [claimed(ANN, 'aaeva', 50), claimed(ANN, 'uusd', 12), claimed(BEN, 'uusd', 8)],
    );
    expect(driftOf(rows)).toEqual([]);
    expect(settledIn(rows).get(`${BEN}  aaeva`)).toBe('5000000000000000000/0');
  });

  it('of pledged units is the beneficiary’s, after a partial release only of what is left', () => {
    const rows = derived(
      [created(), issued(ANN, 100, 100, 100)],
      [lockChanged('EventLocked', ANN, 1, 40, 40), pledged(1, ANN, BEN, 40)],
      [distributed('uusd', 100, 1000000000000000000n, 0, 100)],
      [lockChanged('EventUnlocked', ANN, 1, 30, 10), pledgeEnded('EventReleased', 1, ANN, BEN, 30, 10)],
      [distributed('uusd', 200, 3000000000000000000n, 0, 100)],
      // Ann: 60 · 1 + 90 · 2; Ben: 40 · 1 + 10 · 2
      [claimed(ANN, 'uusd', 240), claimed(BEN, 'uusd', 60, 'encumbrance/1', ANN)],
    );
    expect(driftOf(rows)).toEqual([]);
    expect(columnsOf(rows, POSITIONS, ['height', 'units', 'encumbered', 'routed'])).toEqual([
      ['1', '100', '0', '0'],
      ['2', '100', '40', '40'],
      ['4', '100', '10', '10'],
    ]);
    expect(columnsOf(rows, LOCKS, ['height', 'ref', 'units'])).toEqual([
      ['2', 'encumbrance/1', '40'],
      ['4', 'encumbrance/1', '10'],
    ]);
    expect(accrualsIn(rows).get('uusd')?.totalPaid).toBe(300n);
  });

  it('of exercised units is the beneficiary’s own from then on, and what the route earned stays under its ref', () => {
    const rows = derived(
      [created(), issued(ANN, 10, 10, 10)],
      [lockChanged('EventLocked', ANN, 7, 4, 4), pledged(7, ANN, BEN, 4)],
      [distributed('uusd', 10, 1000000000000000000n, 0, 10)],
      [
        lockChanged('EventUnlocked', ANN, 7, 4, 0),
        pledgeEnded('EventExercised', 7, ANN, BEN, 4, 0),
        moved(ANN, BEN, 4, 6, 4),
      ],
      [distributed('uusd', 10, 2000000000000000000n, 0, 10)],
      [claimed(ANN, 'uusd', 12), claimed(BEN, 'uusd', 4), claimed(BEN, 'uusd', 4, 'encumbrance/7', ANN)],
    );
    expect(driftOf(rows)).toEqual([]);
    expect(accrualsIn(rows).get('uusd')?.totalPaid).toBe(20n);
  });

  it('of an escrow is swept to the issuer, and counts as paid', () => {
    const swept = tellAtEnd('bridge.v1.EventEscrowIncomeSwept', {
      ...{ route_id: 'r', escrow_address: CAY, recipient: ISSUER, asset_id: ASSET, kind_id: 0 },
      ...{ denom: 'uusd', amount: '3' },
    });
    const route = tell('bridge.v1.EventRouteCreated', {
      ...{ route_id: 'r', remote_domain: 1, remote_contract: `0x${'0'.repeat(64)}` },
      ...{ direction: 'DIRECTION_RIGHT_OUT', local_denom: '', status: 'ROUTE_STATUS_ACTIVE' },
      ...{ window_seconds: '0', outbound_limit: '0', inbound_limit: '0', warp_token_id: '', display: '' },
      ...{ exponent: 0, asset_id: ASSET, kind_id: 0, bundle: false, escrow_address: CAY },
    });
    const rows = derived(
      [...THREE, route, moved(ANN, CAY, 1, 1, 1)],
      [distributed('uusd', 10, 3333333333333333333n, 1, 3)],
      [swept],
    );
    expect(driftOf(rows)).toEqual([]);
    expect(settledIn(rows).get(`${CAY}  uusd`)).toBe('3333333333333333333/0');
    expect(accrualsIn(rows).get('uusd')?.totalPaid).toBe(3n);
  });
});

describe('units', () => {
  it('are ordered by one pair of places a position and block', () => {
    const rows = derived(
      [created(), issued(ANN, 5, 5, 5), issued(ANN, 1, 6, 6)],
      [moved(ANN, BEN, 2, 4, 2), moved(ANN, BEN, 1, 3, 3)],
      [redeemed(ANN, 3, 3, 0)],
      [moved(BEN, CAY, 1, 2, 1), moved(CAY, BEN, 1, 0, 3)],
    );
    expect(driftOf(rows)).toEqual([]);
    expect(columnsOf(rows, HOLDER_ORDER, ['height', 'holder', 'neg', 'sign', 'bucket'])).toEqual([
      ['1', ANN, '-6', '1', '0'],
      ['2', ANN, '-6', '-1', '0'],
      ['2', ANN, '-3', '1', '0'],
      ['2', BEN, '-3', '1', '0'],
      ['3', ANN, '-3', '-1', '0'],
    ]);
    expect(
      columnsOf(rows, KIND_TOTALS, ['height', 'supply', 'positions', 'encumbered', 'holder_count']),
    ).toEqual([
      ['1', '6', '6', '0', '1'],
      ['2', '6', '6', '0', '2'],
      ['3', '3', '3', '0', '1'],
      ['4', '3', '3', '0', '1'],
    ]);
  });

  it('of a kind that is not there, and values that are not derived, are drift', () => {
    const rows = derived(
      [issued(ANN, 5, 5, 5)],
      [created(), issued(ANN, 5, 6, 5), moved(ANN, BEN, 5, 0, 4)],
      [claimed(ANN, 'uusd', 1), lockChanged('EventUnlocked', BEN, 1, 1, 0)],
    );
    expect(
      driftOf(rows)
        .map((row) => row.join(' '))
        .toSorted(),
    ).toEqual([
      '1 aeva.rights.v1.EventIssued record  ',
      '2 aeva.rights.v1.EventIssued supply_after 5 6',
      '2 aeva.rights.v1.EventTransferred to_units_after 5 4',
      '3 aeva.payout.v1.EventClaimed record  ',
      '3 aeva.rights.v1.EventUnlocked locked_after -1 0',
    ]);
  });
});

describe('after lies about units', () => {
  it('amounts are negative and rounded down, with drift', () => {
    // Cay gives away 3 units that are not there; an index of 1/3 later floor(−3 · 0.333…) = −1
    const rows = derived(
      THREE,
      [moved(CAY, ANN, 3, 0, 5)],
      [FIRST],
      [claimed(CAY, 'uusd', 0), claimed(ANN, 'uusd', 1)],
    );
    expect(driftOf(rows)).toEqual([
      ['2', 'aeva.rights.v1.EventTransferred', 'from_units_after', '-3', '0'],
      ['4', 'aeva.payout.v1.EventClaimed', 'amount', '-1', '0'],
    ]);
    expect(columnsOf(rows, POSITIONS, ['holder', 'units'])).toContainEqual([CAY, '-3']);
    expect(pendingIncome(-3n, 500_000_000_000_000_000n, 0n)).toBe(-2n);
    // 10^18 / −3 is −333…333.3: floor, and what it leaves is of the divisor's sign
    expect(distribute({ index: 0n, carryScaled: 0n }, 1n, -3n)).toEqual({
      index: -333333333333333334n,
      carryScaled: -2n,
    });
  });
});
