import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { indexerFile } from 'strata-devnet/chain-section';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { referenceSection } from '../../bench/support/reference-section.ts';
import { openCapture } from '../../src/chain/capture/reader.ts';
import { createCaptureSource } from '../../src/chain/capture/source.ts';
import { killCommands, startTracedWith } from '../support/command.ts';
import { drawn, IS_FULL } from '../support/full.ts';
import { indexInto, withFreshStore } from '../support/indexing.ts';
import { printOf, type StorePrint, storePrint } from '../support/store-print.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { makeCorpus } from './kill-test.ts';
import { partFolders, tableFolders } from './part-folders.ts';

/**
 * The real process with its threads over one store, killed by SIGKILL at a step of each kind. It proves what the operating
 * system and the engine keep of a killed process: files, locks, sockets, the spool. Every other step has the same proof
 * in the test's own process (test/kill/points.store.test.ts and module-points.store.test.ts).
 */

/** Both commits have rows of every kind. */
const [FIRST_END, SECOND_END] = [40, 80];
/** Beyond the last death, so that the store goes on. */
const END = IS_FULL ? 120 : 60;
const SEED = 3;

/** Another table in each full run: they are written and repaired one after the other by the same lines. */
const [table = ''] = drawn(['txs', 'blocks', 'events', 'transfers', 'height_digests'], 1);

/** In the order of one store's life: each run finds what the one before it has left. */
const IN_THE_FIRST_COMMIT = ['migrate:statement@9', 'commit:inserted', `repair:delete/${table}`];
const AFTER_A_LOST_PART = [
  ...['step-back:rows', `commit:insert/${table}`],
  ...['commit:seal', 'commit:checkpoint', 'commit:written'],
];
const IN_A_REINDEX = ['reindex:derived', 'reindex:switched'];

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let undisturbed: StorePrint;
const at = (name: string): string => join(folder.path, name);

beforeAll(async () => {
  folder = await temporaryFolder();
  await makeCorpus(at('chain'), END, SEED);
  // the capture stands in for the node
  await writeFile(at('strata.yaml'), indexerFile('', referenceSection()).replace(/^rpc: .*$/m, ''));
  const source = createCaptureSource(await openCapture(at('chain')));
  undisturbed = await withFreshStore(async (stores) => {
    await indexInto(stores, { toHeight: END, source, parameters: referenceSection() });
    return printOf(stores);
  });
  await source.close();
}, 120_000);

afterAll(async () => {
  killCommands();
  await folder.remove();
});

const COMMITS = {
  STRATA_TEST_RANGE_BLOCKS: `${FIRST_END}`,
  STRATA_TEST_COMMIT_BLOCKS: `${FIRST_END}`,
  STRATA_TEST_COMMIT_SECONDS: '600',
};
const index = (to: number): readonly string[] => [
  ...['index', '--config', at('strata.yaml'), '--capture', at('chain'), '--data', at('data')],
  ...['--to', `${to}`],
];
const reindex = (): readonly string[] => ['reindex', '--data', at('data')];

async function succeed(args: readonly string[]): Promise<void> {
  const { exitCode, signal, stderr } = await startTracedWith(COMMITS, undefined, ...args).ended;
  expect({ exitCode, signal }, stderr).toEqual({ exitCode: 0, signal: null });
}

/** Errors: when the process ends in another way, or elsewhere. */
async function killAt(point: string, args: readonly string[]): Promise<void> {
  const run = startTracedWith(COMMITS, point, ...args);
  const { signal, stderr } = await run.ended;
  expect(signal, stderr).toBe('SIGKILL');
  expect(run.steps.at(-1)).toBe(point.replace(/@\d+$/, ''));
}

describe('a process that is killed', () => {
  it.each(IN_THE_FIRST_COMMIT)('in its first commit, at %s, is followed by another', (point) =>
    killAt(point, index(FIRST_END)),
  );

  // a start costs 3 CPU seconds
  if (IS_FULL) {
    it('leaves a store that loses a part of its second commit', async () => {
      await succeed(index(SECOND_END));
      const parts = partFolders(tableFolders(at('data')).get('transfers') ?? '');
      // one a commit, and what the commits that were cut short have left
      expect(parts.length).toBeGreaterThan(1);
      await rm(parts.at(-1) ?? '', { recursive: true });
    });

    it.each(AFTER_A_LOST_PART)('at %s is followed by another', (point) => killAt(point, index(SECOND_END)));

    it.each(IN_A_REINDEX)('while it derives again, at %s, is followed by another', (point) =>
      killAt(point, reindex()),
    );
  }

  it('leaves the undisturbed store in the end', async () => {
    await succeed(index(END));
    expect(await storePrint(at('data'))).toEqual(undisturbed);
  });
});
