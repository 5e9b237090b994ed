import { describe, expect, it } from 'vitest';
import type { Settlement, SettlementLeg } from '../../../clients/ts/src/client.ts';
import { joint, plural, rightWords } from '../../web/src/text/rights.ts';
import { rowNow } from '../../web/src/text/settlement-rows.ts';
import {
  assetsOf,
  dealOf,
  partIn,
  type SettlementStage,
  settlementFilter,
  stageOf,
  stageWords,
} from '../../web/src/text/settlements.ts';

const OUT = 'DIRECTION_PROPOSER_TO_COUNTERPARTY';
const IN = 'DIRECTION_COUNTERPARTY_TO_PROPOSER';
const right = (
  direction: typeof OUT | typeof IN,
  asset_id: string,
  kind_id: number,
  units: string,
): SettlementLeg => ({ direction, right: { asset_id, kind_id, units } });
const coin = (direction: typeof OUT | typeof IN, denom: string, amount: string): SettlementLeg => ({
  direction,
  coin: { denom, amount },
});

describe('a settlement as a deal', () => {
  it('is told from the side of its proposer', () => {
    expect(dealOf([coin(IN, 'uusd', '5'), right(OUT, 'a', 1, '7')], () => [])).toEqual({
      gives: [{ what: 'right', assetId: 'a', kindId: 1, units: 7n }],
      gets: [{ what: 'coin', denom: 'uusd', amount: 5n }],
    });
  });

  it('sums legs of the same thing and direction, beyond what a double holds', () => {
    const legs = [coin(OUT, 'uusd', '9007199254740993'), coin(OUT, 'uusd', '1'), coin(IN, 'uusd', '2')];
    expect(dealOf(legs, () => undefined)).toEqual({
      gives: [{ what: 'coin', denom: 'uusd', amount: 9007199254740994n }],
      gets: [{ what: 'coin', denom: 'uusd', amount: 2n }],
    });
  });

  it('says equal units of every kind of the bundle as whole shares, and leaves other kinds beside them', () => {
    const legs = [0, 1, 2, 3].map((kindId) => right(OUT, 'a', kindId, '10'));
    expect(dealOf(legs, () => [0, 2]).gives).toEqual([
      { what: 'share', assetId: 'a', kindId: 0, units: 10n },
      { what: 'right', assetId: 'a', kindId: 1, units: 10n },
      { what: 'right', assetId: 'a', kindId: 3, units: 10n },
    ]);
  });

  it.each([
    ['unequal units', [right(OUT, 'a', 0, '10'), right(OUT, 'a', 1, '9')], [0, 1]],
    ['a kind too few', [right(OUT, 'a', 0, '10')], [0, 1]],
    ['a bundle of one', [right(OUT, 'a', 0, '10')], [0]],
    ['halves in both directions', [right(OUT, 'a', 0, '10'), right(IN, 'a', 1, '10')], [0, 1]],
    ['kinds of two assets', [right(OUT, 'a', 0, '10'), right(OUT, 'b', 1, '10')], [0, 1]],
  ])('does not say %s as a share', (_, legs, bundle) => {
    const { gives, gets } = dealOf(legs, () => bundle);
    expect([...gives, ...gets].map(({ what }) => what)).toEqual(legs.map(() => 'right'));
  });

  it('says no number of rights whose kinds are not known yet, and names their asset once', () => {
    const legs = [right(OUT, 'a', 0, '10'), right(OUT, 'a', 1, '10'), coin(OUT, 'uusd', '3')];
    expect(dealOf(legs, () => undefined).gives).toEqual([
      { what: 'rights', assetId: 'a' },
      { what: 'coin', denom: 'uusd', amount: 3n },
    ]);
  });

  it('names each asset once', () => {
    expect(
      assetsOf([
        right(OUT, 'b', 0, '1'),
        coin(IN, 'uusd', '1'),
        right(IN, 'a', 0, '1'),
        right(OUT, 'b', 1, '1'),
      ]),
    ).toEqual(['b', 'a']);
  });
});

const base: Settlement = {
  id: 5,
  proposer: 'p',
  counterparty: 'c',
  legs: [],
  expiry: '2026-11-22T12:00:00Z',
  status: 'STATUS_PENDING',
  memo_hash: '',
  cancel_reason: '',
  created_height: 1,
  created_tx_hash: '',
  created_at: '2026-11-22T11:50:00Z',
  updated_height: 1,
};
const noon = Date.parse('2026-11-22T12:00:00Z');

describe('who may do what with it', () => {
  it('is open until its expiry, at which nobody can accept it any more', () => {
    expect(stageOf(base, noon - 1)).toBe('open');
    expect(stageOf(base, noon)).toBe('overdue');
  });

  it('tells a party that cancelled from a liquidation', () => {
    const cancelled = { ...base, status: 'STATUS_CANCELLED' } as const;
    expect(stageOf(cancelled, noon)).toBe('cancelled');
    expect(stageOf({ ...cancelled, cancel_reason: 'LIQUIDATION' }, noon)).toBe('liquidated');
    expect(stageWords('liquidated', 'none')).toContain('liquidation');
    expect(stageWords('cancelled', 'none')).not.toContain('liquidation');
  });

  it('addresses the viewer as the party that the viewer is', () => {
    expect(partIn(base, 'c')).toBe('counterparty');
    expect(partIn(base, 'p')).toBe('proposer');
    expect(partIn(base, 'x')).toBe('none');
    expect(partIn(base, undefined)).toBe('none');
    expect(stageWords('open', 'counterparty')).toMatch(/^You may accept/);
    expect(stageWords('open', 'proposer')).toMatch(/^The counterparty may accept/);
    expect(stageWords('open', 'none')).not.toMatch(/\byou\b/i);
  });

  it('says only of an open one that it may be accepted', () => {
    const stages: SettlementStage[] = ['overdue', 'settled', 'cancelled', 'liquidated', 'expired'];
    for (const stage of stages) expect(stageWords(stage, 'counterparty')).not.toContain('may accept');
  });
});

describe('the rows of a list that changes', () => {
  const newest = [
    { ...base, id: 9 },
    { ...base, id: 6, status: 'STATUS_SETTLED' as const },
    { ...base, id: 3 },
  ];

  it('show what they are by now', () => {
    expect(rowNow({ ...base, id: 6 }, newest)).toEqual({ row: newest[1], hasLeft: false });
  });

  it('say when they no longer belong, but not of what only moved to a later page', () => {
    expect(rowNow({ ...base, id: 5 }, newest).hasLeft).toBe(true);
    expect(rowNow({ ...base, id: 2 }, newest).hasLeft).toBe(false);
    expect(rowNow(base, []).hasLeft).toBe(true);
    expect(rowNow(base, undefined).hasLeft).toBe(false);
  });
});

describe('small words', () => {
  it('join, count and name rights', () => {
    expect(['a', 'b', 'c'].map((text, at) => joint(at, 3) + text).join('')).toBe('a, b and c');
    expect([plural('share', true), plural('share', false)]).toEqual(['share', 'shares']);
    expect(rightWords('INCOME', false)).toBe('income rights');
  });

  it('know the filters of the URL, and no others', () => {
    expect([
      settlementFilter('settled'),
      settlementFilter('STATUS_SETTLED'),
      settlementFilter(undefined),
    ]).toEqual(['settled', undefined, undefined]);
  });
});
