import { expect, it } from 'vitest';
import type { BlockFacts } from '../../src/derive/facts.ts';
import { DEX_SYNCS } from '../../src/modules/dex/tables.ts';
import { columnsOf } from './support/by-hand.ts';
import { inRanges } from './support/derive.ts';
import { dexDeriver, type HandLog, handFacts, LOW } from './support/dex-pool.ts';
import { type Rows, rowsOf, versionsIn } from './support/versions.ts';

/** Rows of pairs, of logs that are written by hand. */

const SECOND = 1_000_000_000n;

const rowsFrom = (facts: readonly BlockFacts[]): Rows => rowsOf(inRanges(dexDeriver(1), facts));

it.each([
  // message 0: PairCreated and two Syncs, as 0, 1, 2; message 1: one Sync, as 0; the last of another tx, as 0
  {
    places: [
      [0, 0, 0],
      [0, 0, 1],
      [0, 0, 2],
      [0, 1, 0],
      [1, 0, 0],
    ],
    rows: [
      [0, 1, 3],
      [0, 2, 4],
      [0, 3, 5],
      [1, 0, 6],
    ],
  },
  // each message has one log, as 0
  {
    places: [
      [0, 0, 0],
      [0, 1, 0],
      [0, 2, 0],
      [1, 0, 0],
      [1, 1, 0],
    ],
    rows: [
      [0, 1, 3],
      [0, 2, 4],
      [1, 0, 5],
      [1, 1, 6],
    ],
  },
])(
  'logs of a tx are in order where a node numbers those of each message from 0: $places',
  ({ places, rows }) => {
    const syncs = [3n, 4n, 5n, 6n].map((quote) => ({ sync: [1n, quote] as const }));
    const facts = handFacts({ base: LOW, blocks: [{ timeNs: 1n, logs: syncs }] }).map((block) => ({
      ...block,
      logs: block.logs.map((log, i) => {
        const [txIndex = 0, msgIndex = 0, logIndex = 0] = places[i] ?? [];
        return { ...log, txIndex, msgIndex, logIndex };
      }),
    }));
    expect(columnsOf(rowsFrom(facts), DEX_SYNCS.name, 'tx_index', 'log_index', 'reserve1')).toEqual(rows);
  },
);

it('a Sync without a price keeps the price before it, also for a writer that starts after it', async () => {
  const syncs: readonly (readonly [timeNs: bigint, log: HandLog])[] = [
    [SECOND, { sync: [1n, 5n] }],
    // within the 10 seconds of the price before it
    [2n * SECOND, { sync: [0n, 0n] }],
    [30n * SECOND, { sync: [1n, 6n] }],
  ];
  const facts = handFacts({ base: LOW, blocks: syncs.map(([timeNs, log]) => ({ timeNs, logs: [log] })) });
  const before = (rows: Rows) => columnsOf(rows, DEX_SYNCS.name, 'height', 'reserve1', 'before_reserve1');
  expect(before(rowsFrom(facts))).toEqual([
    [1, 5, 0],
    [2, 0, 5],
    [3, 6, 5],
  ]);
  const restarted = dexDeriver(1);
  await restarted.restore(versionsIn(rowsFrom(facts.slice(0, 2))));
  expect(before(rowsOf(inRanges(restarted, facts.slice(2))))).toEqual([[3, 6, 5]]);
});
