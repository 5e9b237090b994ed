import { describe, expect, it } from 'vitest';
import type { BridgeRoute, DriftRow } from '../../../clients/ts/src/client.ts';
import { driftWords, inOrder, routeChecks, summaryOf } from '../../web/src/text/check-rows.ts';
import { driftPlace, driftValue, moduleWords } from '../../web/src/text/drift.ts';

describe('rows of checks', () => {
  const rows = [
    { id: 1, agree: true, height: 5 },
    { id: 2, agree: false, height: 3 },
    { id: 3, agree: true, height: 9 },
    { id: 4, agree: false, height: 4 },
  ];

  it('have the disagreements first, then the newest', () => {
    expect(inOrder(rows).map(({ id }) => id)).toEqual([4, 2, 3, 1]);
  });

  it('are summed up; what could not be asked for is no disagreement and has no block', () => {
    expect(summaryOf([...rows, { agree: true, height: 1, evaluated: false }])).toEqual({
      count: 5,
      disagreeing: 2,
      unasked: 1,
      heights: [3, 9],
    });
    expect(summaryOf([])).toEqual({ count: 0, disagreeing: 0, unasked: 0, heights: undefined });
  });

  it('leave out routes that were never checked', () => {
    const i8 = {
      height: 7,
      chain_actual: '1',
      indexer_actual: '2',
      chain_ok: true,
      evaluated: true,
      agree: false,
    };
    const routes = [{ i8: null }, { i8 }] as unknown as BridgeRoute[];
    expect(routeChecks(routes)).toEqual([{ route: { i8 }, height: 7, agree: false, evaluated: true }]);
  });
});

it('the number of disagreements is said in words', () => {
  expect(driftWords(0)).toMatch(/^No figure /);
  expect(driftWords(1)).toContain('one disagreement ');
  expect(driftWords(12)).toContain('12 disagreements');
});

it('a difference says where it is', () => {
  const row = {
    source: 'event',
    type: 'aeva.rights.v1.EventIssued',
    record: '',
    field: 'supply_after',
  } as DriftRow;
  const ofExport = {
    ...row,
    source: 'export',
    type: '',
    record: 'position ab/0 aeva1x',
    field: 'units',
  } as DriftRow;
  expect([
    driftPlace(row),
    driftPlace({ ...row, field: 'record' }),
    driftPlace(ofExport),
    driftPlace({ ...ofExport, field: 'record' }),
    driftPlace({ ...ofExport, record: '', field: 'left_out' }),
  ]).toEqual([
    'supply_after of EventIssued',
    'EventIssued',
    'units of position ab/0 aeva1x',
    'position ab/0 aeva1x',
    'more differences',
  ]);
  expect([driftValue(''), driftValue('5'), moduleWords('payout'), moduleWords('own')]).toEqual([
    ...['nothing', '5', 'Income', 'own'],
  ]);
});
