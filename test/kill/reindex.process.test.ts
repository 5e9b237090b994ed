import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { killCommands, startCommand, startTraced } from '../support/command.ts';
import { copyStore, type StorePrint, storePrint } from '../support/store-print.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { partFolders, tableFolders } from './part-folders.ts';
import { REINDEX_POINTS } from './reindex-points.ts';

/** `strata reindex` as a process: killed anywhere it leaves a store that the next start makes whole, and it can be asked. */

vi.setConfig({ testTimeout: 120_000 });

const BLOCKS = 60;
/** A kill takes seconds: `npm test` has every fourth, `npm run test:full` all. */
const IN_SHORT = 4;
const points =
  process.env.STRATA_TEST_POINTS === 'all'
    ? REINDEX_POINTS
    : REINDEX_POINTS.filter((_point, i) => i % IN_SHORT === 1);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let undisturbed: StorePrint;
const at = (name: string): string => join(folder.path, name);

beforeAll(async () => {
  folder = await temporaryFolder();
  const size = ['--blocks', `${BLOCKS}`, '--txs-per-block', '8', '--seed', '5'];
  await succeed('corpus', ...size, '--out', at('corpus'));
  await index('all modules');
  undisturbed = await storePrint(at('all modules'));
  await copyStore(at('all modules'), at('a lost part of a module'));
  const [part = ''] = partFolders(tableFolders(at('a lost part of a module')).get('attestations') ?? '');
  await rm(part, { recursive: true });
}, 240_000);

afterAll(async () => {
  killCommands();
  await folder.remove();
});

async function succeed(...args: readonly string[]): Promise<string> {
  const { exitCode, signal, stdout, stderr } = await startCommand(...args).ended;
  expect({ exitCode, signal }, stderr).toEqual({ exitCode: 0, signal: null });
  return stdout;
}

const index = (name: string) => succeed('index', '--capture', at('corpus'), '--data', at(name));

describe('a re-derivation that is killed', () => {
  it.each(points)(
    'where it finds %s, at %s, leaves a store that the next start makes whole',
    async (found, point) => {
      const name = `${found} ${point}`.replace(/\W/g, '-');
      await copyStore(at(found), at(name));
      const run = startTraced(point, 'reindex', '--data', at(name));
      const { signal, stderr } = await run.ended;
      expect(signal, stderr).toBe('SIGKILL');
      expect(run.steps.at(-1)).toBe(point);
      await index(name);
      expect(await storePrint(at(name))).toEqual(undisturbed);
      await rm(at(name), { recursive: true });
    },
  );
});

describe('strata reindex', () => {
  it('derives all modules, or one, and says what it did', async () => {
    await copyStore(at('all modules'), at('again'));
    expect(await succeed('reindex', '--data', at('again'))).toMatch(
      /^derived asset, .*bridge.* from 60 blocks with [\d,]+ events in [\d.]+ s \([\d.k,]+ blocks\/s\): generation 2\n$/,
    );
    expect(await succeed('reindex', '--data', at('again'), '--module', 'attestation')).toMatch(
      /^derived attestation from 60 blocks .*: generation 3\n$/,
    );
    expect(await storePrint(at('again'))).toEqual(undisturbed);
  });

  it('names those that depend on a module that is asked for alone', async () => {
    const { exitCode, stderr } = await startCommand('reindex', '--data', at('again'), '--module', 'rights')
      .ended;
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/config_invalid: module rights cannot be derived by itself, as .*payout/);
  });

  it('asks the process that has the folder open, which goes on answering', async () => {
    const listen = ['--listen', '127.0.0.1:0'];
    const running = startCommand('start', '--capture', at('corpus'), '--data', at('again'), ...listen);
    const [, url = ''] = await running.printed(/serving (http:\/\/[\w.:]+)/);
    const assets = await firstAssets(url);
    const asked = succeed('reindex', '--data', at('again'));
    let answers = 0;
    let isDone = false;
    void asked.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      expect(await firstAssets(url)).toBe(assets);
      answers++;
      await systemClock.sleep(5);
    }
    expect(await asked).toMatch(/from 60 blocks .*: generation 4\n$/);
    expect(answers).toBeGreaterThan(3);
    await running.stopWell('SIGTERM');
    expect(await storePrint(at('again'))).toEqual(undisturbed);
  });
});

/** The page of assets that begins the list. */
async function firstAssets(url: string): Promise<string> {
  const list = await fetch(`${url}/v1/assets?limit=5`);
  const text = await list.text();
  expect(list.status, text).toBe(200);
  expect(text).toMatch(/^\{"assets":\[\{"id":/);
  return text;
}
