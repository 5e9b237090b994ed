import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestChain, type TestChain } from '../../testnet/test/app/support/test-chain.ts';
import { killCommands, runCommand, startCommand, startWith } from '../support/command.ts';
import { runHere, startHere } from '../support/command-here.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** `strata app` as a process: its signals, and its desk between processes. */

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let chain: TestChain;
const at = (name: string) => join(folder.path, name);

beforeAll(async () => {
  folder = await temporaryFolder();
  chain = await startTestChain();
});
afterAll(async () => {
  killCommands();
  await chain.close();
  await folder.remove();
});

const args = (...more: string[]) => [
  'app',
  ...['--rpc', chain.rpcUrl, '--data', at('app'), '--listen', '127.0.0.1:0', ...more],
];

describe('strata app', () => {
  it('pauses the desk with --desk-paused and by SIGUSR2, has it for itself, and leaves it to the next when it is killed', async () => {
    const key = at('desk.json');
    await writeFile(key, JSON.stringify({ algorithm: 'eth_secp256k1', private_key: '11'.repeat(32) }), {
      mode: 0o600,
    });
    const app = startCommand(...args('--desk-key', key, '--desk-paused', '--admin', '127.0.0.1:0'));
    const [, admin = ''] = await app.printed(/admin listener at (http:\S+)/);
    const [, url = ''] = await app.printed(/the app at (http:\S+), /);
    const isPaused = async () =>
      ((await (await fetch(`${url}/api/desk`)).json()) as { paused: boolean }).paused;
    const metric = async () =>
      /^strata_desk_paused (\d)$/m.exec(await (await fetch(`${admin}/metrics`)).text())?.[1];
    expect([await isPaused(), await metric()]).toEqual([true, '1']);
    app.hold('SIGUSR2');
    await app.printed(/the desk is not paused any more/);
    expect([await isPaused(), await metric()]).toEqual([false, '0']);
    app.hold('SIGUSR2');
    await app.printed(/not paused any more[\s\S]*the desk is paused: /);
    expect([await isPaused(), await metric()]).toEqual([true, '1']);
    // on the admin listener alone
    expect((await fetch(`${url}/metrics`)).status).toBe(404);

    const second = await runHere(...args('--desk-key', key));
    expect([second.exitCode, second.stderr]).toEqual([
      1,
      expect.stringMatching(/^strata: store_in_use: the app's database \S+app\.db has a desk already.*\n$/),
    ]);
    // without a desk there is nothing to share
    const other = startHere(...args());
    await other.printed(/the app at http:/);
    await other.stopWell();

    expect(await app.stop('SIGKILL')).toMatchObject({ signal: 'SIGKILL' });
    const next = startCommand(...args('--desk-key', key));
    const [, nextUrl = ''] = await next.printed(/the app at (http:\S+), /);
    expect((await fetch(`${nextUrl}/api/desk`)).status).toBe(200);
    await next.stopWell('SIGTERM');
  });

  it('leaves nothing open that would keep its process: a node that keeps silent, an address that is taken', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const asked = once(silent, 'connection');
    // what has not ended by itself by then is ended with 1; an answer of the node is waited for longer
    const limit = { STRATA_STOP_SECONDS: '8', STRATA_TEST_NODE_WAIT: '3600' };
    const waiting = startWith(limit, 'app', '--rpc', `http://127.0.0.1:${port}`);
    await asked;
    await waiting.stopWell('SIGINT');

    const ended = await runCommand(
      ...['app', '--rpc', chain.rpcUrl, '--data', at('taken'), '--listen', `127.0.0.1:${port}`],
    );
    expect(ended.exitCode).toBe(1);
    expect(ended.stderr).toMatch(/^strata: port_in_use: cannot listen at 127\.0\.0\.1:\d+: EADDRINUSE/);
    silent.close();
  });
});
