import { describe, expect, it } from 'vitest';
import { type Layout, layOut } from '../../web/src/pages/asset/picture/layout.ts';

const holder = (name: string, units: string, encumbered = '0') => ({
  holder: name,
  units,
  encumbered,
  locks: [],
});
const kind = (kind_id: number, supply: string, holders: ReturnType<typeof holder>[]) => ({
  kind_id,
  class: 'INCOME' as const,
  supply,
  holders,
});

/** Nothing overlaps: bars, rows, and the bands at either end. */
function expectApart({ height, kinds, holders, bands }: Layout): void {
  const spans: (readonly [number, number])[][] = [
    kinds.map(({ top, height: size }) => [top, top + size]),
    holders.map(({ top, rowHeight }) => [top, top + rowHeight]),
    bands.map(({ from, size }) => [from, from + size]),
    bands.map(({ to, size }) => [to, to + size]),
  ];
  for (const list of spans) {
    const sorted = list.toSorted(([a], [b]) => a - b);
    for (const [i, [start, end]] of sorted.entries()) {
      expect(start).toBeGreaterThanOrEqual((sorted[i - 1]?.[1] ?? 0) - 1e-6);
      expect(end).toBeLessThanOrEqual(height + 1e-6);
    }
  }
}

describe('the picture of who holds what', () => {
  it('has bands as thick as shares, whatever the supplies', () => {
    const layout = layOut([
      kind(0, '100', [holder('ann', '75', '25'), holder('ben', '25')]),
      kind(1, '40000000000000000000000000000', [holder('ben', '40000000000000000000000000000')]),
    ]);
    const [bar] = layout.kinds;
    const size = bar?.height ?? 0;
    expect(
      layout.bands.map((band) => [band.kindId, band.holder, band.size / size, band.lockedSize / size]),
    ).toEqual([
      [0, 'ben', 0.25, 0],
      [0, 'ann', 0.75, 0.25],
      [1, 'ben', 1, 0],
    ]);
    expect(layout.holders.map((row) => row.holder)).toEqual(['ben', 'ann']);
    expectApart(layout);
  });

  it('sums all but the largest up, with those that the graph does not name', () => {
    const many = Array.from({ length: 30 }, (_, i) => holder(`h${i}`, String(30 - i), i === 20 ? '4' : '0'));
    const layout = layOut([kind(0, '1000', many)]);
    expect(layout.holders).toHaveLength(10);
    const others = layout.bands.at(-1);
    const named = 30 + 29 + 28 + 27 + 26 + 25 + 24 + 23 + 22;
    expect(others).toMatchObject({ holder: undefined, units: String(1000 - named), locked: '4' });
    expectApart(layout);
  });

  it('leaves out kinds without units, and survives a supply that is less than what holders have', () => {
    const layout = layOut([kind(0, '0', []), kind(1, '5', [holder('ann', '9', '9')])]);
    expect(layout.kinds.map(({ kindId }) => kindId)).toEqual([1]);
    expect(layout.bands).toHaveLength(1);
    expectApart(layout);
    expect(layOut([]).bands).toEqual([]);
  });

  it('stays readable with many kinds', () => {
    const kinds = Array.from({ length: 24 }, (_, i) => kind(i, '10', [holder(`h${i}`, '10')]));
    const layout = layOut(kinds);
    expect(layout.kinds.every(({ height }) => height >= 40)).toBe(true);
    expectApart(layout);
  });
});
