import { expect, it } from 'vitest';
import { readDifferenceSubject } from '../../src/modules/reconciliation/export-checks.ts';
import { rowsOfExport } from '../../src/reconcile/export-rows.ts';

/** What a comparison stores, whatever a node says. */

const ASSET = 'ab'.repeat(32);
const LONG = 'x/'.repeat(1_000_000);

it('a difference is a row, its texts are cut, and those that were not kept are one more', () => {
  const rows = rowsOfExport('rights', 7, {
    module: 'rights',
    records: 9,
    differences: [
      { module: 'rights', record: `position ${ASSET}/0 ${LONG}`, field: 'units', chain: LONG, indexer: '1' },
    ],
    leftOut: 41,
  });
  expect(
    rows.map(({ check, assetId, agree, chain, indexer }) => [check, assetId, agree, chain, indexer]),
  ).toEqual([
    ['export', '', false, { records: 9, differences: 42 }, {}],
    ['difference', ASSET, false, { value: `${LONG.slice(0, 199)}…` }, { value: '1' }],
    ['difference', '', false, { value: '41' }, { value: '' }],
  ]);
  const [, difference, leftOut] = rows.map(({ subject }) => readDifferenceSubject(subject));
  expect(difference).toMatchObject({ module: 'rights', field: 'units' });
  expect(difference?.record).toMatch(new RegExp(`^position ${ASSET}/0 (x/)+x?…$`));
  expect(difference?.record).toHaveLength(200);
  expect(leftOut).toEqual({ module: 'rights', field: 'left_out', record: '' });
});

it('a module that could not be compared disagrees in nothing', () => {
  expect(rowsOfExport('rights', 7, undefined)).toMatchObject([
    { check: 'export', subject: 'rights', height: 7, evaluated: false, agree: true },
  ]);
});
