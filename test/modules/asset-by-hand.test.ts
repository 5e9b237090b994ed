import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { DRIFT } from '../../src/core/tables.ts';
import { assetIdOf } from '../../src/modules/asset/ids.ts';
import { DELEGATIONS } from '../../src/modules/delegation/tables.ts';
import { ENCUMBRANCES } from '../../src/modules/encumbrance/tables.ts';
import { INCOME_ROUTES } from '../../src/modules/payout/tables.ts';
import { bucketOf } from '../../src/modules/rights/holder-order.ts';
import { KIND_TOTALS } from '../../src/modules/rights/tables.ts';
import { deriveAfter, deriveAll } from './support/derive.ts';
import { blockOf, columnsOf, type ToldEvent, tell } from './support/hand-written.ts';
import { account, created, driftOf, ISSUER, issued, moved, pledged, redeemed } from './support/income.ts';
import { versionsIn } from './support/versions.ts';

/** Assets and their holders, counted by hand: what needs no store and no chain. */

const BYTES = new Uint8Array(20).fill(0x11);

/** modules.md section 1, once more, with the nonce's eight bytes written down. */
function idOf(nonce: string): string {
  const parts = [Buffer.from('aeva/asset/v1', 'utf8'), BYTES, Buffer.from(nonce, 'hex')];
  return createHash('sha256').update(Buffer.concat(parts)).digest('hex');
}

const second = (): ToldEvent =>
  tell('asset.v1.EventAssetCreated', { ...created().fields, asset_id: idOf('0000000000000001'), nonce: '1' });

it('an id has the nonce in eight bytes, the greatest first', () => {
  expect(assetIdOf('aeva', BYTES, 0n)).toBe(idOf('0000000000000000'));
  expect(assetIdOf('aeva', BYTES, 1n)).toBe(idOf('0000000000000001'));
  expect(assetIdOf('aeva', BYTES, 0x0102_0304_0506_0708n)).toBe(idOf('0102030405060708'));
});

it('the second asset of an issuer has the nonce 1, also after a restart', async () => {
  const [first, next] = [blockOf(1, created()), blockOf(2, second())];
  const whole = deriveAll([first, next]);
  const after = await deriveAfter(versionsIn(deriveAll([first])), [next]);
  for (const rows of [whole, after]) {
    expect(columnsOf(rows, DRIFT, ['field', 'derived', 'told'])).toEqual([]);
  }
});

it('who has nothing left is no holder any more', () => {
  const other = account(0x22);
  const rows = deriveAll([
    blockOf(1, created(), issued(ISSUER, 10, 10, 10)),
    blockOf(2, moved(ISSUER, other, 4, 6, 4)),
    blockOf(3, moved(ISSUER, other, 6, 0, 10)),
    blockOf(4, redeemed(other, 3, 7, 7)),
    blockOf(5, redeemed(other, 7, 0, 0)),
  ]);
  expect(columnsOf(rows, DRIFT, ['field'])).toEqual([]);
  expect(columnsOf(rows, KIND_TOTALS, ['height', 'supply', 'holder_count'])).toEqual([
    ['1', '10', '1'],
    ['2', '10', '2'],
    ['3', '10', '1'],
    ['4', '7', '1'],
    ['5', '0', '0'],
  ]);
});

it('a range of heights in the order of holders ends with a multiple of 64', () => {
  expect([1, 64, 65, 128, 129].map(bucketOf)).toEqual([0, 0, 1, 1, 2]);
});

it('an encumbrance or a delegation of a kind that nobody created is one drift row, and no record', () => {
  const [ann, ben] = [account(0xa1), account(0xb2)];
  const pledge = pledged(1, ann, ben, 1);
  const delegation = tell('delegation.v1.EventDelegated', {
    ...{ id: '1', holder: ann, asset_id: idOf('0000000000000009'), kind_id: 0, units: '1', delegate: ben },
    ...{ until: '2031-01-01T00:00:00Z', purposes: ['PURPOSE_INCOME'], revocable: true },
  });
  const rows = deriveAll([blockOf(1, pledge, delegation), blockOf(2, created(), pledge)]);
  expect(driftOf(rows)).toEqual([
    ['1', 'aeva.encumbrance.v1.EventCreated', 'record', '', ''],
    ['1', 'aeva.delegation.v1.EventDelegated', 'record', '', ''],
  ]);
  expect(columnsOf(rows, DELEGATIONS, ['id'])).toEqual([]);
  expect(columnsOf(rows, INCOME_ROUTES, ['height'])).toEqual([['2']]);
  expect(columnsOf(rows, ENCUMBRANCES, ['id', 'height'])).toEqual([['1', '2']]);
});
