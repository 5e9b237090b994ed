import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killCommands, startCommand, startWith } from '../support/command.ts';
import { FIXTURE_FOLDER } from '../support/oracle.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/**
 * SIGINT and SIGTERM end every state of an indexing process well: exit code 0, no crash, the store whole. One that
 * did not end in time would have ended itself, with another code (src/cli/shutdown.ts). That both signals do the same
 * is proved by test/cli/shutdown.process.test.ts.
 */

const RECORDING = FIXTURE_FOLDER.pathname;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(async () => {
  killCommands();
  await folder.remove();
});

const at = (name: string): string => join(folder.path, name);
const heightAt = (stderr: string): number => Number(/stopped at (\d+)\//.exec(stderr)?.[1]);

describe('a signal', () => {
  it('during backfill commits what is in hand, the next start goes on there, and a signal at the head ends that', async () => {
    const small = {
      STRATA_TEST_RANGE_BLOCKS: '4',
      STRATA_TEST_COMMIT_BLOCKS: '4',
      STRATA_LOG_LEVEL: 'debug',
    };
    const backfill = startWith(small, 'index', '--capture', RECORDING, '--data', at('data'));
    await backfill.printed(/committed/);
    const stopped = await backfill.stop('SIGTERM');
    expect(stopped).toMatchObject({ exitCode: 0, signal: null, stdout: '' });
    const height = heightAt(stopped.stderr);
    expect(height).toBeGreaterThan(0);
    expect(height).toBeLessThan(501);

    const serving = ['--listen', '127.0.0.1:0'];
    const head = startCommand('start', '--capture', RECORDING, '--data', at('data'), ...serving);
    const [, url = ''] = await head.printed(/serving (http:\/\/127\.0\.0\.1:\d+)/);
    // a client that keeps its connection open
    await expect.poll(async () => (await fetch(`${url}/v1/blocks/501`)).status, { interval: 200 }).toBe(200);
    const ended = await head.stop('SIGINT');
    expect(ended).toMatchObject({ exitCode: 0, signal: null, stdout: '' });
    expect(ended.stderr).toContain(`from height ${height + 1} of 501`);
    expect(ended.stderr).not.toContain('cut short');
    expect(heightAt(ended.stderr)).toBe(501);
  });

  it('before anything is indexed ends a process whose node does not answer', async () => {
    const lost = startCommand('index', '--rpc', 'http://127.0.0.1:1', '--data', at('lost'));
    await lost.printed(/127\.0\.0\.1:1/);
    expect(await lost.stopWell('SIGINT')).toMatchObject({ stdout: '' });
  });
});
