import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STEPS } from '../../src/core/steps.ts';
import { DECODED_TABLES } from '../../src/core/tables.ts';
import { HEIGHT_TABLES } from '../../src/store/repair.ts';
import { killCommands, startTraced } from '../support/command.ts';
import { drawn, inShort } from '../support/full.ts';
import { indexInto, withStore } from '../support/indexing.ts';
import { FIXTURE_FOLDER } from '../support/oracle.ts';
import { copyStore, printOf, type StorePrint, storePrint } from '../support/store-print.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { partFolders, tableFolders } from './part-folders.ts';
import { REINDEX_POINTS } from './reindex-points.ts';

/** The real process, killed at each step of a start and of a commit, goes on to the store of an undisturbed run. */

/** The commit behind the first holds rows of every table: typed events stand at heights 57 and 58. */
const FIRST_END = 30;
const SECOND_END = 60;
const END = 90;
/** A run of two commits from here to there completes the range of 256 heights whose counts are sealed. */
const SEAL_START = 226;
const SEAL_END = 258;

const COMMITS = [
  ...['--capture', FIXTURE_FOLDER.pathname, '--range-blocks', '30'],
  ...['--commit-blocks', '30', '--commit-seconds', '600'],
];

/** What a start finds. */
type Found =
  | 'nothing'
  | 'commits up to a seal'
  | 'a commit'
  | 'a commit that was cut short'
  | 'a commit that lost a part';

/** As traced (src/core/steps.ts); `@2` is the second time. */
const KILL_POINTS: readonly (readonly [found: Found, point: string])[] = [
  ['nothing', 'start:spool-cleared'],
  ['nothing', 'migrate:statement@1'],
  ['nothing', 'migrate:statement@9'],
  ['nothing', 'migrate:statement@23'],
  ['nothing', 'migrate:done'],
  ['nothing', 'commit:inserted'],
  ['a commit that was cut short', 'repair:delete/blocks'],
  ['a commit that was cut short', 'repair:delete/events'],
  ['a commit that was cut short', 'repair:delete/txs_per_day'],
  ['a commit that was cut short', 'repair:verify'],
  ['a commit that was cut short', 'repair:compare'],
  ['a commit that was cut short', 'start:done'],
  ['a commit that lost a part', 'step-back:checkpoints'],
  ['a commit that lost a part', 'step-back:rows'],
  ['a commit that lost a part', 'repair:delete/txs_by_method'],
  ['a commit', 'commit:begin'],
  ...DECODED_TABLES.map(({ name }) => ['a commit', `commit:insert/${name}`] as const),
  ['a commit', 'commit:inserted'],
  ['a commit', 'commit:counted'],
  ['a commit', 'commit:seal'],
  ['a commit', 'commit:sealed'],
  ['commits up to a seal', 'commit:seal'],
  ['commits up to a seal', 'commit:checkpoint'],
  ['commits up to a seal', 'commit:written'],
  ['a commit', 'commit:checkpoint'],
  ['a commit', 'commit:written'],
  ['a commit', 'commit:done'],
];

/** Of the tables that a commit writes one after the other by the same lines: others in each full run. */
const TABLES_DRAWN = 4;
const TABLE_POINTS = KILL_POINTS.filter(([, point]) => point.startsWith('commit:insert/'));
const ofTables = new Set(drawn(TABLE_POINTS, TABLES_DRAWN));

/** A kill takes seconds: `npm test` has every eighth, `npm run test:full` each of another kind. */
const IN_SHORT = 8;
const points = inShort(KILL_POINTS, IN_SHORT).filter(
  (each) => ofTables.has(each) || !TABLE_POINTS.includes(each),
);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const undisturbed = new Map<number, StorePrint>();
const at = (name: string): string => join(folder.path, name);

beforeAll(async () => {
  folder = await temporaryFolder();
  await index('undisturbed', END);
  undisturbed.set(END, await storePrint(at('undisturbed')));
  await index('undisturbed', SEAL_START);
  await copyStore(at('undisturbed'), at('commits up to a seal'));
  await index('undisturbed', SEAL_END);
  undisturbed.set(SEAL_END, await storePrint(at('undisturbed')));
  await index('a commit', FIRST_END);
  await copyStore(at('a commit'), at('a commit that was cut short'));
  await killAt('a commit that was cut short', 'commit:inserted', END);
  await copyStore(at('a commit'), at('a commit that lost a part'));
  await index('a commit that lost a part', SECOND_END);
  await loseNewestPart('a commit that lost a part', 'transfers');
}, 240_000);

afterAll(async () => {
  killCommands();
  await folder.remove();
});

describe('a process that is killed', () => {
  it.each(points)(
    'where it finds %s, at %s, goes on to the undisturbed store',
    async (found, point) => {
      const name = point.replace(/\W/g, '-');
      const end = found === 'commits up to a seal' ? SEAL_END : END;
      if (found !== 'nothing') await copyStore(at(found), at(name));
      await killAt(name, point, end);
      expect(await goOn(name, end)).toEqual(undisturbed.get(end));
      await rm(at(name), { recursive: true });
    },
    120_000,
  );

  it('is killed at every step that there is', () => {
    const all = [...KILL_POINTS, ...REINDEX_POINTS];
    const killed = new Set(all.map(([, point]) => point.replace(/[/@].*$/, '')));
    expect(STEPS.filter((step) => !killed.has(step))).toEqual([]);
  });
});

describe('the comparison', () => {
  it('tells tables with rows of every kind', () => {
    const tables = undisturbed.get(SEAL_END)?.tables ?? {};
    expect(Object.keys(tables)).toEqual(
      expect.arrayContaining([
        ...DECODED_TABLES.map(({ name }) => name),
        'txs_per_day',
        'checkpoints',
        'facts',
      ]),
    );
    for (const name of HEIGHT_TABLES) expect(tables[name], name).toMatch(/^\([1-9]/);
  });
});

async function index(name: string, to: number): Promise<void> {
  const run = startTraced(undefined, 'index', ...COMMITS, '--data', at(name), '--to', `${to}`);
  const { exitCode, signal, stderr } = await run.ended;
  expect({ exitCode, signal }, stderr).toEqual({ exitCode: 0, signal: null });
}

/** The store after the next start has done the rest. */
function goOn(name: string, toHeight: number): Promise<StorePrint> {
  return withStore(at(name), async (stores) => {
    await indexInto(stores, { toHeight });
    return printOf(stores);
  });
}

/** Errors: when the process ends in another way, or elsewhere. */
async function killAt(name: string, point: string, end: number): Promise<void> {
  const run = startTraced(point, 'index', ...COMMITS, '--data', at(name), '--to', `${end}`);
  const { signal, stderr } = await run.ended;
  expect(signal, stderr).toBe('SIGKILL');
  expect(run.steps.at(-1)).toBe(point.replace(/@\d+$/, ''));
}

async function loseNewestPart(name: string, table: string): Promise<void> {
  const parts = partFolders(tableFolders(at(name)).get(table) ?? '');
  expect(parts.length, `parts of ${table}, one a commit`).toBe(2);
  await rm(parts[1] ?? '', { recursive: true });
}
