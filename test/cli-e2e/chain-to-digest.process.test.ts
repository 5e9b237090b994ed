import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCapture } from '../../src/chain/capture/reader.ts';
import { type Replay, startReplay } from '../../src/chain/replay/server.ts';
import { killCommands, runCommand, startCommand } from '../support/command.ts';
import { FIXTURE_FOLDER } from '../support/oracle.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The commands as a person uses them one after the other: capture, replay, index, digest. */

const RECORDING = FIXTURE_FOLDER.pathname;

describe('strata', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let node: Replay;
  beforeAll(async () => {
    folder = await temporaryFolder();
    node = await startReplay({ capture: await openCapture(RECORDING), host: '127.0.0.1', port: 0 });
  });
  afterAll(async () => {
    killCommands();
    await node.close();
    await folder.remove();
  });

  const at = (name: string): string => join(folder.path, name);

  it('index --to ends with that height, and digest prints its digest and nothing else', async () => {
    const indexed = await runCommand('index', '--capture', RECORDING, '--data', at('direct'), '--to', '120');
    expect(indexed).toMatchObject({ exitCode: 0, signal: null, stdout: '' });
    expect(indexed.stderr).toContain('stopped at 120/120');
    const { exitCode, stdout, stderr } = await runCommand('digest', '--data', at('direct'));
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^(1 120 [0-9a-f]{64}\n){2}$/);
    expect(stderr).toBe('');
  }, 60_000);

  it('capture, replay and index --rpc give the digest of the recording', async () => {
    const captured = await runCommand('capture', '--rpc', node.url, '--capture', at('capture'), '--to', '80');
    expect(captured).toMatchObject({ exitCode: 0, stdout: '' });
    // and goes on where it ended
    await runCommand('capture', '--rpc', node.url, '--capture', at('capture'), '--to', '120');

    const replay = startCommand('replay', '--capture', at('capture'), '--listen', '127.0.0.1:0');
    const [, url = ''] = await replay.printed(
      /replaying heights 1 to 120 of .* at (http:\/\/127\.0\.0\.1:\d+)/,
    );
    const indexed = await runCommand('index', '--rpc', url, '--data', at('replayed'), '--to', '120');
    expect(indexed).toMatchObject({ exitCode: 0, stdout: '' });
    expect(await replay.stopWell('SIGTERM')).toMatchObject({ stdout: '' });

    // a capture has an end, and there indexing ends
    const ended = await runCommand('index', '--capture', at('capture'), '--data', at('to-the-end'));
    expect(ended).toMatchObject({ exitCode: 0, stdout: '' });

    const digests = await Promise.all(
      ['replayed', 'to-the-end', 'direct'].map((name) => runCommand('digest', '--data', at(name))),
    );
    expect(digests[0]?.stdout).toMatch(/^1 120 /);
    expect(digests[1]?.stdout).toBe(digests[0]?.stdout);
    expect(digests[2]?.stdout).toBe(digests[0]?.stdout);
  }, 90_000);

  it('serve answers from a store that nothing fills, and says so of an empty one', async () => {
    const serving = startCommand('serve', '--data', at('direct'), '--listen', '127.0.0.1:0');
    const [, url = ''] = await serving.printed(/serving (http:\/\/127\.0\.0\.1:\d+)/);
    const status = await fetch(`${url}/v1/status`);
    expect(status.status).toBe(200);
    expect(JSON.stringify(await status.json())).toContain('120');
    const block = await fetch(`${url}/v1/blocks/120`);
    expect(block.status).toBe(200);
    expect((await fetch(`${url}/v1/blocks/121`)).status).toBe(404);
    expect(await serving.stopWell('SIGINT')).toMatchObject({ stdout: '' });

    const empty = await runCommand('serve', '--data', at('empty'), '--listen', '127.0.0.1:0');
    expect(empty.exitCode).toBe(1);
    expect(empty.stderr).toMatch(
      /^strata: store_empty: There is no store in the data folder .*empty\. Index into it first .*\n$/,
    );
  }, 60_000);
});
