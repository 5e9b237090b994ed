import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MODULE_DIGESTS } from '../../src/core/tables.ts';
import { type BlockFacts, NO_MORE_FACTS } from '../../src/derive/facts.ts';
import { type DevnetNode, startDevnetNode } from '../support/devnet-node.ts';
import { IS_FULL } from '../support/full.ts';
import { type IndexRun, indexInto, withFreshStore } from '../support/indexing.ts';
import { seededRandom } from '../support/random.ts';
import { printOf, type StorePrint } from '../support/store-print.ts';
import {
  DERIVATIONS,
  DEVNET_SECTION,
  deriveAfter,
  deriveAll,
  expectSameRows,
  GENERATION,
  inRanges,
  joined,
  openDeriver,
} from './support/derive.ts';
import { factsOf } from './support/facts.ts';
import { withLies } from './support/lies.ts';
import { type Rows, rowsOf, versionsIn } from './support/versions.ts';

/** What every module's derivation owes, whatever it derives: rows that follow from the chain's facts alone. */

const BLOCKS = 140;
/** Splits, restarts and lies that are tried: restart-properties.test.ts has many more, of events that are made up. */
const MANY = IS_FULL ? 4 : 3;
/** Twice this is still far below what a column of amounts holds, however often it is added. */
const SUMMABLE = 1n << 200n;

let node: DevnetNode;
let facts: readonly BlockFacts[];
let whole: Rows;

beforeAll(async () => {
  node = await startDevnetNode({ seed: 6, blocks: BLOCKS });
  facts = await factsOf(node, openDeriver().filter);
  whole = deriveAll(facts);
}, 120_000);
afterAll(() => node?.close());

const heights = (seed: number, count: number, last = BLOCKS - 1): number[] => {
  const random = seededRandom(seed);
  const found = Array.from({ length: count }, () => random.between(1, last));
  return [...new Set(found)].sort((a, b) => a - b);
};

/** Those that derivations write; sums over ranges of heights, and what views fill, are made by the store. */
const TABLES = DERIVATIONS.flatMap(({ tables, rollUps = [] }) => {
  const sums = new Set(rollUps.map(({ table }) => table.name));
  return tables.filter(({ name, facts }) => facts.filledBy === undefined && !sums.has(name));
});

describe('the workload', () => {
  it('has events of every type and a row of every table that modules have', () => {
    const seen = new Set(facts.flatMap(({ events }) => events.map(({ type }) => type)));
    const typed = [...openDeriver().filter.eventTypes].filter((type) => type.includes('.'));
    expect(typed.filter((type) => !seen.has(type))).toEqual([]);
    // the reference chain has no governance (gov.store.test.ts)
    const tables = TABLES.filter(({ module }) => module !== 'gov').map(({ name }) => name);
    expect(tables.filter((name) => (whole.get(name) ?? []).length === 0)).toEqual([]);
  });

  it('tells nothing that is not derived', () => {
    expect(whole.get('drift') ?? []).toEqual([]);
  });
});

describe('derivation', () => {
  it('of nothing, or of blocks without events, has no rows', () => {
    const deriver = openDeriver();
    expect(deriver.derive([])).toEqual([]);
    const empty = facts.map((block) => ({ ...block, ...NO_MORE_FACTS, events: [] }));
    expect(deriver.derive(empty)).toEqual([]);
    expectSameRows(rowsOf([deriver.derive(facts)]), whole, 'behind empty blocks');
  });

  it('has a version of a record once a height, under its generation', () => {
    for (const { name, key } of TABLES) {
      const rows = whole.get(name) ?? [];
      if (key.length > 0) {
        const versions = rows.map((row) => [...key, 'height'].map((column) => String(row[column])).join(' '));
        expect(new Set(versions).size, name).toBe(versions.length);
      }
      expect(
        rows.every(({ generation }) => generation === GENERATION),
        name,
      ).toBe(true);
      const order = rows.map(({ height }) => Number(height));
      expect(order, name).toEqual(order.toSorted((a, b) => a - b));
    }
  });

  it('has a digest for each module and height with rows, and no other', () => {
    const digests = (whole.get(MODULE_DIGESTS.name) ?? []).map(({ module, height }) => `${module} ${height}`);
    const expected = DERIVATIONS.flatMap(({ module, tables }) =>
      tables.flatMap(({ name }) => (whole.get(name) ?? []).map(({ height }) => `${module} ${height}`)),
    );
    expect(digests.toSorted()).toEqual([...new Set(expected)].sort());
  });

  it('again has the same rows', () => {
    expectSameRows(deriveAll(facts), whole, 'again');
  });

  it('in any ranges has the same rows', () => {
    const blockByBlock = Array.from({ length: BLOCKS - 1 }, (_, i) => i + 1);
    for (const ends of [
      blockByBlock,
      ...Array.from({ length: MANY }, (_, seed) => heights(seed, seed + 1)),
    ]) {
      expectSameRows(rowsOf(inRanges(openDeriver(), facts, ends)), whole, ends.join());
    }
  });

  it('goes on behind a restart as without it', async () => {
    for (const height of heights(77, 2 * MANY)) await expectRestart(facts, whole, height);
  });

  it('of one module alone has the rows of that module', () => {
    for (const { module, tables } of DERIVATIONS) {
      const own = [...tables.map(({ name }) => name), MODULE_DIGESTS.name];
      const expected = new Map(
        own.map((name) => [
          name,
          (whole.get(name) ?? []).filter((row) => name !== MODULE_DIGESTS.name || row.module === module),
        ]),
      );
      expectSameRows(deriveAll(facts, { kept: [module] }), expected, module);
    }
  });
});

/** Rows up to a height and rows behind a restart there are those without it. */
async function expectRestart(blocks: readonly BlockFacts[], expected: Rows, height: number): Promise<void> {
  const before = deriveAll(blocks.slice(0, height));
  const after = await deriveAfter(versionsIn(before), blocks.slice(height));
  expectSameRows(joined(before, after), expected, `a restart at ${height}`);
}

describe('derivation of lies', () => {
  it('goes on to the end, whatever events tell', () => {
    const found: number[] = [];
    for (let seed = 1; seed <= 2 * MANY; seed++) {
      found.push((deriveAll(withLies(facts, seed)).get('drift') ?? []).length);
    }
    expect(found.reduce((sum, count) => sum + count)).toBeGreaterThan(20);
  });

  it('has the same rows in any ranges and behind a restart', async () => {
    for (const seed of [101, 102]) {
      const lies = withLies(facts, seed, SUMMABLE);
      const expected = deriveAll(lies);
      expectSameRows(rowsOf(inRanges(openDeriver(), lies, heights(seed, 9))), expected, `lies of ${seed}`);
      for (const height of heights(seed, 2)) await expectRestart(lies, expected, height);
    }
  });
});

describe('the pipeline', () => {
  let reference: StorePrint;
  beforeAll(async () => {
    // one commit
    reference = await indexed({ workers: 4, rangeBlocks: BLOCKS, commitBlocks: 100_000 });
  });

  // a start is within, at an end of, and alone in what the others commit together
  const runs: readonly (readonly [name: string, runs: readonly IndexRun[]])[] = [
    [
      '4 workers, odd ranges, commits of 23 blocks, and a start in between',
      [{ workers: 4, rangeBlocks: 7, commitBlocks: 23, toHeight: 70 }, { workers: 4 }],
    ],
    [
      'a commit a block at both ends, and starts in between',
      [
        { rangeBlocks: 1, commitBlocks: 1, toHeight: 3 },
        { toHeight: 56 },
        { toHeight: 112 },
        { toHeight: BLOCKS - 5 },
        { rangeBlocks: 1, commitBlocks: 1 },
      ],
    ],
  ];
  /** A run takes seconds: `npm test` has the first, `npm run test:full` all. */
  it.each(IS_FULL ? runs : runs.slice(0, 1))(
    'has the same tables with %s',
    async (_name, each) => {
      expect(await indexed(...each)).toEqual(reference);
    },
    120_000,
  );

  it('stores the rows that the deriver gives', async () => {
    expect(Object.keys(reference.tables)).toEqual(expect.arrayContaining([...whole.keys()]));
    for (const [table, rows] of whole) expect(reference.tables[table], table).toMatch(`(${rows.length},`);
  });
});

/** A store after these runs, one after the other, each up to the chain's end unless it says where to. */
function indexed(...runs: readonly IndexRun[]): Promise<StorePrint> {
  return withFreshStore(async (stores) => {
    for (const run of runs) {
      const parameters = DEVNET_SECTION;
      await indexInto(stores, { toHeight: BLOCKS, parameters, ...run, source: node.source });
    }
    return printOf(stores);
  });
}
