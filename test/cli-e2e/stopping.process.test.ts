import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killCommands, runCommand, startCommand } from '../support/command.ts';
import { FIXTURE_FOLDER } from '../support/oracle.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/**
 * SIGINT and SIGTERM end every state of an indexing process well: exit code 0, no crash, the store whole. One that
 * did not end in time would have ended itself, with another code (src/cli/shutdown.ts).
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
  it.each(['SIGINT', 'SIGTERM'] as const)(
    '%s during backfill commits what is in hand, and the next start goes on there',
    async (signal) => {
      const small = ['--range-blocks', '4', '--commit-blocks', '4', '--log-level', 'debug'];
      const backfill = startCommand('index', '--capture', RECORDING, '--data', at(signal), ...small);
      await backfill.printed(/committed/);
      const stopped = await backfill.stop(signal);
      expect(stopped).toMatchObject({ exitCode: 0, signal: null, stdout: '' });
      const height = heightAt(stopped.stderr);
      expect(height).toBeGreaterThan(0);
      expect(height).toBeLessThan(501);

      const resumed = await runCommand('index', '--capture', RECORDING, '--data', at(signal), '--to', '501');
      expect(resumed).toMatchObject({ exitCode: 0, stdout: '' });
      expect(resumed.stderr).toContain(`from height ${height + 1} of 501`);
      expect(resumed.stderr).not.toContain('cut short');
      expect(resumed.stderr).toContain('stopped at 501/501');
    },
    60_000,
  );

  it.each(['SIGINT', 'SIGTERM'] as const)(
    '%s at the head ends a process that indexes and serves',
    async (signal) => {
      const serving = ['--listen', '127.0.0.1:0'];
      const head = startCommand('start', '--capture', RECORDING, '--data', at('head'), ...serving);
      const [, url = ''] = await head.printed(/serving (http:\/\/127\.0\.0\.1:\d+)/);
      // a client that keeps its connection open
      await expect
        .poll(async () => (await fetch(`${url}/v1/blocks/501`)).status, { timeout: 20_000 })
        .toBe(200);
      const stopped = await head.stop(signal);
      expect(stopped).toMatchObject({ exitCode: 0, signal: null, stdout: '' });
      expect(heightAt(stopped.stderr)).toBe(501);
    },
    60_000,
  );

  it('before anything is indexed ends a process whose node does not answer', async () => {
    const lost = startCommand('index', '--rpc', 'http://127.0.0.1:1', '--data', at('lost'));
    await lost.printed(/127\.0\.0\.1:1/);
    expect(await lost.stopWell('SIGINT')).toMatchObject({ stdout: '' });
  }, 60_000);
});
