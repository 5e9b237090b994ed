import { join } from 'node:path';
import { systemClock } from 'strata-kit/clock';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { killCommands, startCommand } from '../support/command.ts';
import { type StorePrint, storePrint } from '../support/store-print.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** `strata reindex` as a process, by itself and asked by another command. test/kill has its deaths. */

vi.setConfig({ testTimeout: 120_000 });

const BLOCKS = 60;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let undisturbed: StorePrint;
const at = (name: string): string => join(folder.path, name);

beforeAll(async () => {
  folder = await temporaryFolder();
  const size = ['--blocks', `${BLOCKS}`, '--txs-per-block', '8', '--seed', '5'];
  await succeed('corpus', ...size, '--out', at('corpus'));
  await succeed('index', '--capture', at('corpus'), '--data', at('data'));
  undisturbed = await storePrint(at('data'));
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

describe('strata reindex', () => {
  it('derives all modules, or one, and says what it did', async () => {
    expect(await succeed('reindex', '--data', at('data'))).toMatch(
      /^derived asset, .*bridge.* from 60 blocks with [\d,]+ events in [\d.]+ s \([\d.k,]+ blocks\/s\): generation 2\n$/,
    );
    expect(await succeed('reindex', '--data', at('data'), '--module', 'attestation')).toMatch(
      /^derived attestation from 60 blocks .*: generation 3\n$/,
    );
    expect(await storePrint(at('data'))).toEqual(undisturbed);
  });

  it('names those that depend on a module that is asked for alone', async () => {
    const { exitCode, stderr } = await startCommand('reindex', '--data', at('data'), '--module', 'rights')
      .ended;
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/config_invalid: module rights cannot be derived by itself, as .*payout/);
  });

  it('asks the process that has the folder open, which goes on answering', async () => {
    const listen = ['--listen', '127.0.0.1:0'];
    const running = startCommand('start', '--capture', at('corpus'), '--data', at('data'), ...listen);
    const [, url = ''] = await running.printed(/serving (http:\/\/[\w.:]+)/);
    const assets = await firstAssets(url);
    const asked = succeed('reindex', '--data', at('data'));
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
    expect(await storePrint(at('data'))).toEqual(undisturbed);
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
