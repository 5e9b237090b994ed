import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestChain, type TestChain } from '../../testnet/test/app/support/test-chain.ts';
import { startHere, startHereWith } from '../support/command-here.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const waiting = (seconds: number) => ({ STRATA_TEST_NODE_WAIT: `${seconds}` });

/** `strata app` beside a chain and something that stands for an indexer. */

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let chain: TestChain;
let indexer: Server;
const at = (name: string) => join(folder.path, name);

beforeAll(async () => {
  folder = await temporaryFolder();
  chain = await startTestChain();
  indexer = createServer((request, response) => response.end(`indexer ${request.url}`)).listen(
    0,
    '127.0.0.1',
  );
  await once(indexer, 'listening');
});
afterAll(async () => {
  indexer.close();
  await chain.close();
  await folder.remove();
});

const args = (...more: string[]) => [
  'app',
  ...['--rpc', chain.rpcUrl, '--data', at('app'), '--listen', '127.0.0.1:0', ...more],
];

/** The chain's node, as it may be met. */
async function nodeInFront(mode: 'hangs up' | 'keeps silent' | 'answers') {
  let now = mode;
  const server = createServer(async (request, response) => {
    if (now === 'hangs up') request.socket.destroy();
    if (now !== 'answers') return;
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(chain.rpcUrl, { method: 'POST', headers, body: await text(request) });
    response.end(await answer.text());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: once(server, 'request'),
    becomes(next: typeof mode) {
      now = next;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe('strata app', () => {
  it('serves what it is configured with, and stops in order', async () => {
    const { port } = indexer.address() as AddressInfo;
    const app = startHere(...args('--indexer', `http://127.0.0.1:${port}/`));
    const [, url = ''] = await app.printed(/the app at (http:\S+), beside the indexer at http:/);
    const get = async (path: string, init?: RequestInit) => {
      const answer = await fetch(`${url}${path}`, init);
      return { status: answer.status, body: await answer.text() };
    };
    expect(await get('/v1/status?x=%2F')).toEqual({ status: 200, body: 'indexer /v1/status?x=%2F' });
    const { status, body } = await get('/api/chain');
    // no chain: section, so that the market is not known, and neither key, so that there is nobody to name
    expect([status, JSON.parse(body)]).toEqual([
      200,
      expect.objectContaining({ chain_id: 'aeva_9111-1', hrp: 'aeva', contracts: null, names: [] }),
    ]);
    expect((await get('/api/openapi.yaml')).body).toMatch(/^openapi: 3\.0\.3\n/);
    const faucet = {
      method: 'POST',
      body: '{"address":"x"}',
      headers: { 'content-type': 'application/json' },
    };
    expect((await get('/api/faucet', faucet)).status).toBe(404);
    expect((await get('/')).status).toBe(200);
    await app.stopWell();
  });

  it('lets an answer that is being made end within 2 s of a signal', async () => {
    const slow = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(slow, 'listening');
    const app = startHere(...args('--indexer', `http://127.0.0.1:${(slow.address() as AddressInfo).port}`));
    const [, url = ''] = await app.printed(/the app at (http:\S+), /);
    const asked = once(slow, 'request');
    const answer = fetch(`${url}/v1/status`).then(
      () => 'answered',
      () => 'cut off',
    );
    await asked;
    await app.stopWell();
    expect(await answer).toBe('cut off');
    slow.closeAllConnections();
    slow.close();
  });

  describe('whose node is not there yet', () => {
    it('waits for it, says so once, and serves when it answers', async () => {
      const node = await nodeInFront('hangs up');
      const app = startHere('app', '--rpc', node.url, '--data', at('app'), '--listen', '127.0.0.1:0');
      await app.printed(/no node answers: waiting 30 s for one/);
      node.becomes('answers');
      const [, url = ''] = await app.printed(/the app at (http:\S+), /);
      expect((await fetch(`${url}/api/chain`)).status).toBe(200);
      const { stderr } = await app.stopWell();
      expect(stderr.match(/waiting/g)).toHaveLength(1);
      expect(stderr).toMatch(/the nodes answer\n[\s\S]*the app at/);
      node.close();
    });

    it('ends with its code when the time is up', async () => {
      const ended = await startHereWith(waiting(3), 'app', '--rpc', 'http://127.0.0.1:1').ended;
      expect([ended.exitCode, ended.stderr]).toEqual([
        1,
        expect.stringMatching(
          /waiting 3 s for one[\s\S]*\nstrata: node_unreachable: http:\/\/127\.0\.0\.1:1 cannot be reached: .*ECONNREFUSED/,
        ),
      ]);
    });

    it.each(['hangs up', 'keeps silent'] as const)('ends at once when it is told to: %s', async (how) => {
      const node = await nodeInFront(how);
      const app = startHereWith(waiting(3_600), 'app', '--rpc', node.url);
      await (how === 'hangs up' ? app.printed(/no node answers/) : node.asked);
      const stoppedAtMs = performance.now();
      await app.stopWell();
      // an answer of the node is waited for longer
      expect(performance.now() - stoppedAtMs).toBeLessThan(8_000);
      node.close();
    });
  });

  it.each([
    ['no node', () => ['app'], 2, /^strata: config_invalid: app needs a node of the chain: give --rpc/],
    [
      'two nodes',
      () => ['app', '--rpc', 'http://a,http://b'],
      2,
      /^strata: config_invalid: app asks one node: give one URL to --rpc/,
    ],
    [
      'a key file that is not there',
      () => args('--desk-key', at('none.json')),
      2,
      /^strata: config_invalid: --desk-key \S+none\.json cannot be used: ENOENT/,
    ],
    [
      'a key file that is none',
      () => args('--faucet-key', at('not-a-key.json')),
      2,
      /^strata: config_invalid: --faucet-key \S+ cannot be used: \S+ is no JSON/,
    ],
    [
      'a node that is not there',
      () => ['app', '--rpc', 'http://127.0.0.1:1', '--data', at('app')],
      1,
      /^strata: node_unreachable: http:\/\/127\.0\.0\.1:1 cannot be reached: .*ECONNREFUSED/,
    ],
    [
      'a node that is none',
      () => ['app', '--rpc', `http://127.0.0.1:${(indexer.address() as AddressInfo).port}`],
      1,
      /^strata: node_bad_answer: /,
    ],
    [
      'a database that is not there',
      () => args('--database', 'postgres://me:hunter2@127.0.0.1:1/strata'),
      1,
      /^strata: store_unreachable: the app's database 127\.0\.0\.1:1\/strata cannot be opened/,
    ],
    [
      'an address that is taken',
      () =>
        [...args(), '--listen', `127.0.0.1:${(indexer.address() as AddressInfo).port}`].filter(
          (arg, i, all) => !(arg === '--listen' && i < all.lastIndexOf('--listen')) && arg !== '127.0.0.1:0',
        ),
      1,
      /^strata: port_in_use: cannot listen at 127\.0\.0\.1:\d+: EADDRINUSE/,
    ],
  ] as const)('says what is wrong with %s', async (_, given, exitCode, message) => {
    await writeFile(at('not-a-key.json'), 'secret of mine', { mode: 0o600 });
    const ended = await startHereWith(waiting(0), ...given()).ended;
    expect([ended.exitCode, ended.stderr]).toEqual([exitCode, expect.stringMatching(message)]);
    expect(ended.stderr.trimEnd()).not.toMatch(/\n|hunter2|secret of mine/);
  });
});
