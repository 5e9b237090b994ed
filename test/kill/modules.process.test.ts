import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { referenceSection } from '../../bench/support/reference-section.ts';
import { openCapture } from '../../src/chain/capture/reader.ts';
import { createCaptureSource } from '../../src/chain/capture/source.ts';
import { SHARED_TABLES } from '../../src/derive/derived-tables.ts';
import { indexerFile } from '../../src/devnet/chain-section.ts';
import { MODULES } from '../../src/modules/modules.ts';
import { countRows } from '../../src/store/repair.ts';
import { killCommands, startTraced } from '../support/command.ts';
import { drawn, IS_FULL } from '../support/full.ts';
import { indexInto, withStore } from '../support/indexing.ts';
import { copyStore, printOf, type StorePrint, storePrint } from '../support/store-print.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { makeCorpus } from './kill-test.ts';

/** The real process over a chain that every module derives from, killed in the commit and the repair of their tables. */

const FIRST_END = 60;
const SECOND_END = 120;
/** The second commit of its chain has rows of every table. */
const SEED = 3;
const TABLES = [...MODULES.flatMap(({ derivation }) => derivation?.tables ?? []), ...SHARED_TABLES].map(
  ({ name }) => name,
);
/** Made by the store, without a step of their own. */
const SUMS = MODULES.flatMap(({ derivation }) => [
  ...(derivation?.rollUps ?? []).map(({ table }) => table.name),
  ...(derivation?.views ?? []).map(({ name }) => name),
]);
/** Without rows in the second commit: the pairs are made in the first, the chain tells the truth, and no day ends. */
const EMPTY = ['dex_pairs', 'drift', 'network_days'];

type Found = 'a commit' | 'a commit that was cut short';

/**
 * How many of the tables `npm run test:full` kills before, others each time: they are written one after the other by the
 * same lines, and each takes two starts of the process.
 */
const TABLES_DRAWN = 8;

/** `npm test` has a few. At random moments: `npm run test:kill -- --modules`. */
const POINTS: readonly (readonly [found: Found, point: string])[] = IS_FULL
  ? [
      ...drawn(insertsOf(TABLES.filter((name) => ![...EMPTY, ...SUMS].includes(name))), TABLES_DRAWN),
      ['a commit that was cut short', 'repair:delete/module_digests'],
      ['a commit that was cut short', 'repair:verify'],
      ['a commit', 'commit:inserted'],
      ['a commit', 'commit:checkpoint'],
      ['a commit', 'commit:written'],
    ]
  : [
      ['a commit', 'commit:insert/module_digests'],
      ['a commit that was cut short', 'repair:delete/positions'],
    ];

function insertsOf(tables: readonly string[]): (readonly [Found, string])[] {
  return tables.map((name) => ['a commit', `commit:insert/${name}`] as const);
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let undisturbed: StorePrint;
const at = (name: string): string => join(folder.path, name);

beforeAll(async () => {
  folder = await temporaryFolder();
  await makeCorpus(at('chain'), SECOND_END, SEED);
  // the capture stands in for the node
  await writeFile(at('strata.yaml'), indexerFile('', referenceSection()).replace(/^rpc: .*$/m, ''));
  await index('a commit', FIRST_END);
  await copyStore(at('a commit'), at('undisturbed'));
  await index('undisturbed', SECOND_END);
  undisturbed = await storePrint(at('undisturbed'));
  await copyStore(at('a commit'), at('a commit that was cut short'));
  await killAt('a commit that was cut short', 'commit:inserted');
}, 240_000);

afterAll(async () => {
  killCommands();
  await folder.remove();
});

describe('a process that is killed over the tables of modules', () => {
  it('has rows of every table in the commit at which it is killed', async () => {
    const counts = await withStore(at('undisturbed'), async (stores) => {
      const store = await stores.open('counts');
      const found = await countRows(store, TABLES, `height > ${FIRST_END}`);
      await store.close();
      return found;
    });
    expect(
      [...counts]
        .filter(([, rows]) => rows === 0)
        .map(([name]) => name)
        .sort(),
    ).toEqual(EMPTY);
  });

  it.each(POINTS)(
    'where it finds %s, at %s, goes on to the undisturbed store',
    async (found, point) => {
      const name = point.replace(/\W/g, '-');
      await copyStore(at(found), at(name));
      await killAt(name, point);
      expect(await goOn(name)).toEqual(undisturbed);
      await rm(at(name), { recursive: true });
    },
    120_000,
  );
});

function commits(name: string, to: number): string[] {
  return [
    ...[
      'index',
      '--config',
      at('strata.yaml'),
      '--capture',
      at('chain'),
      '--data',
      at(name),
      '--to',
      `${to}`,
    ],
    ...['--range-blocks', '60', '--commit-blocks', '60', '--commit-seconds', '600'],
  ];
}

async function index(name: string, to: number): Promise<void> {
  const { exitCode, stderr } = await startTraced(undefined, ...commits(name, to)).ended;
  expect(exitCode, stderr).toBe(0);
}

/** Errors: when the process ends in another way, or elsewhere. */
async function killAt(name: string, point: string): Promise<void> {
  const run = startTraced(point, ...commits(name, SECOND_END));
  const { signal, stderr } = await run.ended;
  expect(signal, stderr).toBe('SIGKILL');
  expect(run.steps.at(-1)).toBe(point);
}

/** The store after the next start has done the rest. */
async function goOn(name: string): Promise<StorePrint> {
  const source = createCaptureSource(await openCapture(at('chain')));
  try {
    return await withStore(at(name), async (stores) => {
      await indexInto(stores, { toHeight: SECOND_END, source, parameters: referenceSection() });
      return printOf(stores);
    });
  } finally {
    await source.close();
  }
}
