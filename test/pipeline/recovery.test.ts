import { beforeAll, describe, expect, it } from 'vitest';
import { RowReader } from '../../src/store/rowbinary.ts';
import type { StoreFactory } from '../../src/store/store.ts';
import { digestLines, digestOf, indexInto, rowCounts, withFreshStore } from '../support/indexing.ts';

/** A power failure takes parts of tables whose commit was written down: the next start steps back to one that is whole. */

const COMMITS = [40, 80, 100, 120];

let undisturbed: string[];
beforeAll(async () => {
  undisturbed = await digestOf({ toHeight: 120 });
}, 60_000);

/** Drops the part of a table that one of the commits made. Merges must not have joined it with others. */
async function dropPart(stores: StoreFactory, table: string, which: 'newest' | 'oldest'): Promise<void> {
  const store = await stores.open('failure');
  const order = which === 'newest' ? 'DESC' : 'ASC';
  const parts = new RowReader(
    await store.query(`SELECT _part FROM ${table} GROUP BY _part ORDER BY max(height) ${order}`),
  );
  const part = parts.string();
  expect(parts.done, `parts of ${table}`).toBe(false);
  await store.command(`ALTER TABLE ${table} DROP PART '${part}'`);
  await store.close();
}

async function withCommits(use: (stores: StoreFactory) => Promise<void>): Promise<void> {
  await withFreshStore(async (stores) => {
    for (const toHeight of COMMITS) await indexInto(stores, { toHeight });
    await use(stores);
  });
}

describe('a store that lost part of a table', () => {
  it.each(['transfers', 'txs_by_method', 'height_digests'])(
    'of %s steps back to the last whole commit and goes on',
    async (table) => {
      await withCommits(async (stores) => {
        await dropPart(stores, table, 'newest');
        const warnings: string[] = [];
        const commits = await indexInto(stores, { toHeight: 120, warnings });
        expect(warnings).toEqual([
          expect.stringMatching(
            new RegExp(
              `^table ${table} had \\d+ rows where the checkpoint at height 120 counted \\d+: stepped back to height 100`,
            ),
          ),
        ]);
        expect(commits.map(({ firstHeight, height }) => [firstHeight, height])).toEqual([[1, 120]]);
        expect(await digestLines(stores)).toEqual(undisturbed);
        const { tables, checkpoint } = await rowCounts(stores);
        expect(checkpoint).toEqual(tables);
      });
    },
    60_000,
  );

  it('from the first commit on stops and names it', async () => {
    await withCommits(async (stores) => {
      const before = await rowCounts(stores);
      await dropPart(stores, 'evm_logs', 'oldest');
      const found = (await rowCounts(stores)).tables.evm_logs;
      const expected = before.tables.evm_logs;
      await expect(indexInto(stores, { toHeight: 130 })).rejects.toMatchObject({
        code: 'store_damaged',
        message: expect.stringContaining(
          `Table evm_logs has ${found} rows, and the checkpoint at height 120 says ${expected}; none of the 3 before it agrees either`,
        ),
      });
      expect((await rowCounts(stores)).tables).toEqual({ ...before.tables, evm_logs: found });
    });
  }, 60_000);
});
