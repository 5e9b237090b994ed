import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EMPTY_SNAPSHOT } from '../../src/api/rows.ts';
import { rightsDerivation } from '../../src/modules/rights/derivation.ts';
import { bucketOf } from '../../src/modules/rights/holder-order.ts';
import { holdersAfter } from '../../src/modules/rights/holders-read.ts';
import { addRollUps } from '../../src/pipeline/roll-ups.ts';
import { openTestStore, type TestStore } from '../support/embedded-store.ts';
import { seededRandom } from '../support/random.ts';

/** The order of holders as of any height, over every span, beside one that is kept by hand. */

const HEAD = 600_000;
const GENERATIONS = new Map([['rights', 1]]);
/** Where ranges begin and end. */
const EDGES = [1, 64, 65, 4_096, 262_144, 262_145, 524_288, 598_016, HEAD - 1, HEAD];

describe('the order of holders', () => {
  let test: TestStore;
  /** By height, who has what from then on. */
  const changes: { height: number; holder: string; units: number }[] = [];
  beforeAll(async () => {
    test = await openTestStore();
    const random = seededRandom(5);
    const held = new Map<string, number>();
    const rows: string[] = [];
    const heights = Array.from({ length: 1_500 }, (_, i) =>
      i % 3 === 0 ? random.between(1, HEAD) : random.between(HEAD - 9_000, HEAD),
    );
    for (const height of [...new Set([...EDGES, ...heights])].sort((a, b) => a - b)) {
      const holder = `h${random.between(0, 9)}`;
      const units = random.between(0, 6);
      const before = held.get(holder) ?? 0;
      if (units === before) continue;
      const row = (value: number, sign: number) =>
        `(1, ${bucketOf(height)}, 'a', 0, ${-value}, '${holder}', ${sign}, ${height})`;
      if (before > 0) rows.push(row(before, -1));
      if (units > 0) rows.push(row(units, 1));
      held.set(holder, units);
      changes.push({ height, holder, units });
    }
    await test.store.command(
      `INSERT INTO holder_order (generation, bucket, asset_id, kind_id, neg, holder, sign, height) VALUES ${rows.join()}`,
    );
    for (let from = 0; from < HEAD; ) {
      const to = Math.min(HEAD, from + random.between(1, 150_000));
      await addRollUps(test.store, [rightsDerivation], GENERATIONS, from, to);
      from = to;
    }
  });
  afterAll(() => test?.close());

  it('is that of the changes up to a height, at any height, whatever the page', async () => {
    const random = seededRandom(6);
    const kept = new Map<() => unknown, unknown>();
    const context = {
      snapshot: { ...EMPTY_SNAPSHOT, indexedHeight: HEAD, generations: GENERATIONS },
      query: (sql: string) => test.store.query(sql),
      kept<T>(create: () => T): T {
        if (!kept.has(create)) kept.set(create, create());
        return kept.get(create) as T;
      },
    };
    for (const height of [...EDGES, ...Array.from({ length: 20 }, () => random.between(1, HEAD))]) {
      const held = new Map<string, number>();
      for (const change of changes) if (change.height <= height) held.set(change.holder, change.units);
      const expected = [...held]
        .filter(([, units]) => units > 0)
        .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
        .map(([holder, units]) => ({ holder, units: BigInt(units) }));
      const order = { assetId: 'a', kindId: 0, height };
      const found = [];
      for (;;) {
        const page = await holdersAfter(context, order, found.at(-1), 3);
        found.push(...page);
        if (page.length < 3) break;
      }
      expect({ height, found }).toEqual({ height, found: expected });
    }
  });
});
