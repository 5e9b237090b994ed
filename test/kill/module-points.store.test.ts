import { chainSection } from 'strata-devnet/chain-section';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reindexStores } from '../../src/cli/reindexing.ts';
import { SHARED_TABLES } from '../../src/core/tables.ts';
import { MODULES } from '../../src/modules/modules.ts';
import { countRows } from '../../src/store/repair.ts';
import { drawn } from '../support/full.ts';
import { printOf, type StorePrint } from '../support/store-print.ts';
import { referenceWorld } from '../support/worlds.ts';
import { type KilledStore, openKilledStore } from './killed-store.ts';
import type { MortalParts } from './mortal.ts';
import { LOST_MODULE_POINTS, REINDEX_POINTS, SWITCHED_POINTS } from './points.ts';

/**
 * As test/kill/points.store.test.ts, over a chain that every module derives from: deaths in the commit and the repair of
 * the modules' tables, and in derivations from stored facts.
 */

const [FIRST_END, SECOND_END] = [60, 120];
const BLOCKS = 60;

/**
 * Without rows in the second commit: the first commit creates the pairs, the chain has no proposals, no figure differs
 * from the chain's own, and no day ends.
 */
const GOV = ['gov_proposals', 'gov_tallies', 'gov_votes', 'gov_votes_by_voter'];
const EMPTY = ['dex_pairs', 'drift', ...GOV, 'network_days'];
const TABLES = [...MODULES.flatMap(({ derivation }) => derivation?.tables ?? []), ...SHARED_TABLES].map(
  ({ name }) => name,
);
/** Made by the store, without a step of their own. */
const SUMS = MODULES.flatMap(({ derivation }) => [
  ...(derivation?.rollUps ?? []).map(({ table }) => table.name),
  ...(derivation?.tables ?? []).flatMap(({ name, facts }) => (facts.filledBy === undefined ? [] : [name])),
]);
/** In the order in which a commit writes them, by the same lines; `npm run test:full` draws some. */
const WRITTEN = TABLES.filter((name) => ![...EMPTY, ...SUMS].includes(name));
const DRAWN = 12;

let undisturbed: StorePrint;
let counts: ReadonlyMap<string, number>;
let end: number;
let store: KilledStore;

beforeAll(async () => {
  const { api, devnet, source, height } = await referenceWorld();
  end = height;
  undisturbed = await printOf(api.stores);
  const look = await api.stores.open('look');
  counts = await countRows(look, TABLES, `height > ${FIRST_END} AND height <= ${SECOND_END}`);
  await look.close();
  const parameters = chainSection(devnet.app.parameters);
  store = await openKilledStore({
    ...{ source, parameters },
    ...{ rangeBlocks: BLOCKS, commitBlocks: BLOCKS, commitMs: 600_000 },
  });
  await store.index(FIRST_END);
  await store.keep();
}, 120_000);

afterAll(() => store.close());

function reindex({ stores, threads }: MortalParts): Promise<unknown> {
  return reindexStores(stores, {
    module: undefined,
    namespace: '',
    modulePaths: [],
    forceModules: false,
    isAlone: true,
    threads,
    signal: new AbortController().signal,
  });
}

describe('a derivation from stored facts that dies', () => {
  it.each([...REINDEX_POINTS, ...SWITCHED_POINTS])(
    'at %s leaves whole modules to the next start',
    async (point) => {
      await store.dieIn(point, reindex);
      await store.index(FIRST_END);
    },
  );
});

describe('a run that finds no checkpoint with whole modules, and dies', () => {
  it('finds that a part is lost', () => store.losePart('attestations', async () => undefined));

  it.each(LOST_MODULE_POINTS)('at %s, derives them again in the end', (point) => store.die(point, FIRST_END));
});

describe('a run that dies over the tables of modules', () => {
  it('has rows of every table in its commit', () => {
    const empty = [...counts].filter(([, rows]) => rows === 0).map(([name]) => name);
    expect(empty.sort()).toEqual(EMPTY);
  });

  it.each(drawn(WRITTEN, DRAWN))('in a commit before %s leaves the commit before', (table) =>
    store.die(`commit:insert/${table}`, SECOND_END),
  );

  it('in a commit when every table has its rows leaves them to the next start', () =>
    store.die('commit:inserted', SECOND_END));

  it.each(drawn([...WRITTEN].sort(), DRAWN))(
    'in the repair of %s leaves the rest to the next start',
    (table) => store.die(`repair:delete/${table}`, SECOND_END),
  );

  it('at the end of the repair leaves the commit before', () => store.die('repair:verify', SECOND_END));
});

it('the store is the undisturbed one in the end', async () => {
  await store.index(end);
  expect(await store.print()).toEqual(undisturbed);
});
