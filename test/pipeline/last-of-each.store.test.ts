import { afterAll, beforeAll, expect, it } from 'vitest';
import { DEX_SWAPS } from '../../src/modules/dex/tables.ts';
import { createDeriveStage, type RederiveTools } from '../../src/pipeline/derive-stage.ts';
import type { Checkpoint } from '../../src/store/checkpoints.ts';
import { openTestStore, type TestStore } from '../support/embedded-store.ts';

/** What a module reads back of rows that have no key, as of a checkpoint. */

let test: TestStore;
beforeAll(async () => {
  test = await openTestStore();
});
afterAll(() => test?.close());

const TEXTS = Array.from({ length: 150 }, (_, i) => `p${i}`);
const CHECKPOINT: Checkpoint = {
  height: 90,
  firstHeight: 1,
  blockHash: 'A'.repeat(64),
  blockTimeNs: 90n,
  chainHeight: 90,
  rows: new Map(),
  generations: new Map([['dex', 2]]),
  tableGenerations: new Map([[DEX_SWAPS.name, 2]]),
};

it('is the last row of each text, by the order of the table, without a look at those before it', async () => {
  // 160 texts by turns; a later generation and heights above the checkpoint must not be seen
  await test.store.command(
    'INSERT INTO dex_swaps (generation, pair, height, tx_index, log_index, time_ns, swaps) ' +
      "SELECT generation, concat('p', toString(number % 160)), 1 + intDiv(number, 160), log % 2, log, 1 + intDiv(number, 160), number * 4 + log " +
      'FROM numbers(16000) ARRAY JOIN [0, 1, 2, 3] AS log ARRAY JOIN [2, 3] AS generation',
  );
  const asked: string[] = [];
  const store: typeof test.store = {
    ...test.store,
    query: (sql, options) => {
      asked.push(sql);
      return test.store.query(sql, options);
    },
  };
  const found: (readonly [string, number, number])[] = [];
  const order = ['time_ns', 'height', 'tx_index', 'log_index'] as const;
  const stage = createDeriveStage(store, {
    parameters: { namespace: 'aeva' },
    derivations: [
      {
        module: 'dex',
        tables: [DEX_SWAPS],
        reads: [],
        open: () => ({
          state: undefined,
          handlers: [],
          endBlock: () => undefined,
          restore: (versions) =>
            versions.lastOfEach(DEX_SWAPS, 'pair', TEXTS, order, ['pair', 'height', 'swaps'], (row) =>
              found.push([row.pair, row.height, row.swaps]),
            ),
        }),
      },
    ],
  });
  await stage.open(CHECKPOINT, {} as RederiveTools);
  // of height 90 the last is log 3, of tx 1: (89 · 160 + i) · 4 + 3
  const byText = new Map(found.map(([text, height, swaps]) => [text, [height, swaps]]));
  expect([found.length, byText.size]).toEqual([150, 150]);
  for (const [i, text] of TEXTS.entries())
    expect([text, byText.get(text)]).toEqual([text, [90, (89 * 160 + i) * 4 + 3]]);

  const reading = asked.filter((sql) => sql.includes('dex_swaps'));
  expect(reading.length).toBe(3);
  for (const sql of reading) expect(sql).toMatch(/LIMIT 1\)/);
});
