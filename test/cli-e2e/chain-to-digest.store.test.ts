import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCapture } from '../../src/chain/capture/reader.ts';
import { type Replay, startReplay } from '../../src/chain/replay/server.ts';
import { killCommands, runCommand } from '../support/command.ts';
import { runHere, startHere } from '../support/command-here.ts';
import { FIXTURE_FOLDER } from '../support/oracle.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The commands as a person uses them one after the other: capture, replay, index, digest. */

const RECORDING = FIXTURE_FOLDER.pathname;
const END = '60';

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
    const json = ['--log-format', 'json', '--log-level', 'debug'];
    // in a process, which ends by itself
    const indexed = await runCommand(
      ...['index', '--capture', RECORDING, '--data', at('direct'), '--to', END, ...json],
    );
    expect(indexed).toMatchObject({ exitCode: 0, signal: null, stdout: '' });
    const { exitCode, stdout, stderr } = await runHere('digest', '--data', at('direct'));
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^(1 60 [0-9a-f]{64}\n){2}$/);
    expect(stderr).toBe('');

    const other = await runHere(
      ...['index', '--capture', RECORDING, '--data', at('direct'), '--chain-id', 'other-1', ...json],
    );
    expect(other).toMatchObject({ exitCode: 1, stdout: '' });
    // one JSON object a line, failures too
    const entries = (indexed.stderr + other.stderr)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    for (const entry of entries) {
      expect(entry).toMatchObject({
        level: expect.any(String),
        time: expect.any(String),
        msg: expect.any(String),
      });
    }
    expect(entries.filter(({ msg }) => msg === 'committed').at(-1)).toMatchObject({ height: 60 });
    expect(entries.filter(({ msg }) => String(msg).includes('stopped at 60/60'))).toHaveLength(1);
    expect(entries.at(-1)).toMatchObject({ level: 'fatal', code: 'chain_id_mismatch' });
  });

  it('capture, replay and index --rpc give the digest of the recording', async () => {
    const capture = (to: string) =>
      runHere('capture', '--rpc', node.url, '--capture', at('capture'), '--to', to);
    expect(await capture('40')).toMatchObject({ exitCode: 0, stdout: '' });
    // and goes on where it ended
    expect(await capture(END)).toMatchObject({ exitCode: 0 });

    const replay = startHere('replay', '--capture', at('capture'), '--listen', '127.0.0.1:0');
    const [, url = ''] = await replay.printed(
      /replaying heights 1 to 60 of .* at (http:\/\/127\.0\.0\.1:\d+)/,
    );
    const indexed = await runHere('index', '--rpc', url, '--data', at('replayed'), '--to', END);
    expect(indexed).toMatchObject({ exitCode: 0, stdout: '' });
    expect(await replay.stopWell()).toMatchObject({ stdout: '' });

    // a capture has an end, and there indexing ends
    const ended = await runHere('index', '--capture', at('capture'), '--data', at('to-the-end'));
    expect(ended).toMatchObject({ exitCode: 0, stdout: '' });

    const digests: string[] = [];
    for (const name of ['replayed', 'to-the-end', 'direct']) {
      digests.push((await runHere('digest', '--data', at(name))).stdout);
    }
    expect(digests[0]).toMatch(/^1 60 /);
    expect(new Set(digests).size).toBe(1);
  });

  it('serve answers from a store that nothing fills', async () => {
    const serving = startHere('serve', '--data', at('direct'), '--listen', '127.0.0.1:0');
    const [, url = ''] = await serving.printed(/serving (http:\/\/127\.0\.0\.1:\d+)/);
    const status = await fetch(`${url}/v1/status`);
    expect(status.status).toBe(200);
    expect(await status.json()).toMatchObject({ indexed_height: 60 });
    const block = await fetch(`${url}/v1/blocks/60`);
    expect(block.status).toBe(200);
    expect((await fetch(`${url}/v1/blocks/61`)).status).toBe(404);
    expect(await serving.stopWell()).toMatchObject({ stdout: '' });
  });
});
