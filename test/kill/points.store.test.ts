import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BlockSource } from '../../src/chain/source.ts';
import { STEPS } from '../../src/core/steps.ts';
import { DECODED_TABLES } from '../../src/core/tables.ts';
import { HEIGHT_TABLES } from '../../src/store/repair.ts';
import { SEALED_COUNTS } from '../../src/store/seals.ts';
import { IS_FULL, inShort } from '../support/full.ts';
import { indexInto, recordedSource, withFreshStore } from '../support/indexing.ts';
import { printOf, type StorePrint } from '../support/store-print.ts';
import { type KilledStore, openKilledStore } from './killed-store.ts';
import {
  ALL_POINTS,
  COMMIT_POINTS,
  FIRST_POINTS,
  REPAIR_POINTS,
  SEAL_POINTS,
  START_POINTS,
  STEP_BACK_POINTS,
  WRITTEN_POINTS,
} from './points.ts';

/**
 * One store whose runs die at every step of a start and of a commit, in the order of its life. After each death the next
 * start must come to the rows of the last commit, and at the end the store is that of an undisturbed run. `npm test` has a
 * sixth of the tables, which a commit writes one after the other by the same lines, and no commit that seals counts.
 */

/** The commit after the first holds rows of every table: typed events are at heights 57 and 58. */
const [FIRST_END, SECOND_END] = [30, 60];
/** The commit from here completes the range of 256 heights whose counts are sealed. */
const SEAL_START = 240;
const END = IS_FULL ? 270 : SECOND_END + 60;

/** Without modules: test/kill/module-points.store.test.ts has theirs. */
const RUN = { rangeBlocks: 30, commitBlocks: 30, commitMs: 600_000, hasModules: false };

let source: BlockSource;
let undisturbed: StorePrint;
let store: KilledStore;

beforeAll(async () => {
  source = await recordedSource();
  undisturbed = await withFreshStore(async (stores) => {
    await indexInto(stores, { ...RUN, source, toHeight: END });
    return printOf(stores);
  });
  store = await openKilledStore({ ...RUN, source });
});

afterAll(async () => {
  await store.close();
  await source.close();
});

describe('a run that dies in the first start or commit', () => {
  it.each(FIRST_POINTS)('at %s leaves an empty store', (point) => store.die(point, FIRST_END));
});

describe('a run that dies while it steps back from a lost part', () => {
  it('finds one', async () => {
    await store.index(FIRST_END);
    await store.keep();
    await store.losePart('transfers', () => store.index(SECOND_END));
  });

  it.each(STEP_BACK_POINTS)('at %s leaves the commit before', (point) => store.die(point, SECOND_END));
});

describe('a run that dies in a commit', () => {
  it.each(inShort(COMMIT_POINTS, 6))('at %s leaves the commit before', (point) =>
    store.die(point, SECOND_END),
  );
});

describe('a run that dies in the repair of a commit that was cut short', () => {
  it.each([...inShort(REPAIR_POINTS, 6), 'repair:verify'])('at %s leaves the commit before', (point) =>
    store.die(point, SECOND_END),
  );

  it.each(START_POINTS)('at %s of the next start leaves the commit before', (point) =>
    store.die(point, SECOND_END),
  );
});

describe('a run that dies after its checkpoint is written', () => {
  it.each(WRITTEN_POINTS.map((point, i) => [point, SECOND_END + 30 * i] as const))(
    'at %s leaves the commit, which ends at height %i',
    async (point, end) => {
      await store.die(point, end);
      await store.keep();
    },
  );
});

describe.runIf(IS_FULL)('a run that dies in a commit that seals counts', () => {
  it('begins before it', async () => {
    await store.index(SEAL_START);
    await store.keep();
  });

  it.each(SEAL_POINTS)('at %s leaves the commit before', (point) => store.die(point, END));

  it('at commit:written leaves the commit', async () => {
    await store.die('commit:written', END);
    await store.keep();
  });
});

it('the store is the undisturbed one in the end', async () => {
  await store.index(END);
  expect(await store.print()).toEqual(undisturbed);
});

describe('the comparison', () => {
  it('is of tables with rows of every kind', () => {
    const { tables } = undisturbed;
    expect(Object.keys(tables)).toEqual(
      expect.arrayContaining([
        ...DECODED_TABLES.map(({ name }) => name),
        ...['txs_per_day', 'checkpoints', 'facts'],
      ]),
    );
    // a short run seals no counts
    const filled = IS_FULL ? HEIGHT_TABLES : HEIGHT_TABLES.filter((name) => name !== SEALED_COUNTS);
    for (const name of filled) expect(tables[name], name).toMatch(/^\([1-9]/);
  });

  it('has a death at every step that there is', () => {
    const steps = new Set(ALL_POINTS.map((point) => point.replace(/[/@].*$/, '')));
    expect(STEPS.filter((step) => !steps.has(step))).toEqual([]);
  });
});
