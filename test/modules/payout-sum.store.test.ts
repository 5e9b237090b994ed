import { systemClock } from 'strata-kit/clock';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EMPTY_SNAPSHOT } from '../../src/api/rows.ts';
import { SCALE } from '../../src/modules/payout/income.ts';
import { type SumReading, sumClaimable } from '../../src/modules/payout/sum-claimable.ts';
import { openTestStore, type TestStore } from '../support/embedded-store.ts';

/** What all bases of a kind could claim, over rows written by hand. */

const ASSET = 'ab'.repeat(32);

let test: TestStore;
beforeAll(async () => {
  test = await openTestStore();
});
afterAll(() => test.close());

it('units whose income is pledged earn for the beneficiary, and not for their holder too', async () => {
  const { store } = test;
  const kind = `1 AS generation, '${ASSET}' AS asset_id, 1 AS kind_id`;
  // of 100 units 30 are pledged; an earlier version had none
  await store.command(
    `INSERT INTO positions (generation, asset_id, kind_id, holder, height, units, encumbered, routed)
SELECT ${kind}, 'holder', arrayJoin([5, 7]) AS height, 100, 0, height = 7 ? 30 : 0`,
  );
  await store.command(
    `INSERT INTO income_routes (generation, asset_id, kind_id, beneficiary, ref, height, holder, units)
SELECT ${kind}, 'lender', 'encumbrance/1', 7, 'holder', 30`,
  );
  // the holder was settled at an index of 1 with 4 left to claim; the lender began there
  await store.command(
    `INSERT INTO settled_income (generation, asset_id, kind_id, account, ref, denom, height, last_index, accrued)
SELECT ${kind}, account, ref, 'uusd', 7, '${SCALE}', accrued
FROM values('account String, ref String, accrued UInt8', ('holder', '', 4), ('lender', 'encumbrance/1', 0))`,
  );
  const kept = new Map<unknown, unknown>();
  const context = {
    snapshot: {
      ...EMPTY_SNAPSHOT,
      indexedHeight: 9,
      generations: new Map([
        ['payout', 1],
        ['rights', 1],
      ]),
    },
    query: (sql: string) => store.query(sql),
    clock: systemClock,
    endMs: systemClock.nowMs() + 60_000,
    kept: <T>(create: () => T): T => {
      if (!kept.has(create)) kept.set(create, create());
      return kept.get(create) as T;
    },
    gather: () => Promise.resolve(undefined),
  } as SumReading;
  const accrual = {
    assetId: ASSET,
    kindId: 1,
    denom: 'uusd',
    index: 3n * SCALE,
    carryScaled: 0n,
    totalDistributed: 300n,
    totalPaid: 0n,
    distributions: 2,
  };
  // 70 and 30 units at 2 each, and what was left
  expect(await sumClaimable(context, accrual)).toBe(70n * 2n + 30n * 2n + 4n);
});
