import { once } from 'node:events';
import { connect } from 'node:net';
import type { RpcServer } from 'strata-kit/rpc/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type Devnet, openDevnet } from '../src/devnet.ts';
import { type EthereumRpcServer, startEthereumRpc } from '../src/evm-rpc/server.ts';
import { startRpc } from '../src/rpc/server.ts';

let devnet: Devnet;
let rpc: RpcServer;
let ethereum: EthereumRpcServer;

beforeAll(async () => {
  devnet = await openDevnet({ clock: 'simulated', accounts: [] });
  await devnet.produceBlock();
  const { chain, app, parameters, readerAt, simulations } = devnet;
  const allowedHosts = ['node.example'];
  rpc = await startRpc({ chain, port: 0, allowedHosts });
  const source = { chain, codec: app.codec, parameters, readerAt, simulations };
  ethereum = await startEthereumRpc({ source, port: 0, allowedHosts });
});

afterAll(async () => {
  await rpc?.close();
  await ethereum?.close();
  await devnet?.stop();
});

/** The whole answer to these bytes. */
async function raw(url: string, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(bytes);
  let answer = '';
  socket.on('data', (data) => {
    answer += String(data);
  });
  socket.on('error', () => {});
  await once(socket, 'close');
  return answer;
}

const BODIES = [
  ['CometBFT', () => rpc.url, '{"jsonrpc":"2.0","id":1,"method":"health"}'],
  ['Ethereum', () => ethereum.url, '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'],
] as const;

function request(body: string, headers: Record<string, string>): string {
  const lines = Object.entries({ connection: 'close', 'content-length': String(body.length), ...headers });
  return `POST / HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}

const JSON_TYPE = { 'content-type': 'application/json' };

describe.each(BODIES)('the %s JSON-RPC', (_, url, body) => {
  const status = async (headers: Record<string, string>) =>
    Number((await raw(url(), request(body, headers))).slice(9, 12));

  it('answers programs, allowed names and wallets', async () => {
    for (const host of ['localhost', '127.0.0.1:1', 'node.example'])
      expect(await status({ host, ...JSON_TYPE })).toBe(200);
    const charset = { 'content-type': 'application/json; charset=utf-8' };
    expect(await status({ host: 'localhost', ...charset })).toBe(200);
    for (const origin of ['chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn', 'http://localhost:5173'])
      expect(await status({ host: 'localhost', origin, 'sec-fetch-site': 'cross-site', ...JSON_TYPE })).toBe(
        200,
      );
  });

  it('refuses a page whose DNS name points here, and a missing Host', async () => {
    expect(await status({ host: 'evil.example', ...JSON_TYPE })).toBe(403);
    expect(await status(JSON_TYPE)).toBe(403);
  });

  it('refuses what a page of another site sends without asking first', async () => {
    const host = 'localhost';
    expect(await status({ host, origin: 'https://evil.example', ...JSON_TYPE })).toBe(403);
    expect(await status({ host, origin: 'null', ...JSON_TYPE })).toBe(403);
    expect(await status({ host, 'sec-fetch-site': 'cross-site', ...JSON_TYPE })).toBe(403);
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'text/plain; application/json',
    ])
      expect(await status({ host, 'content-type': type })).toBe(415);
    expect(await status({ host })).toBe(415);
  });

  it.each([
    ['400', 'nonsense\r\n\r\n'],
    ['431', `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'y'.repeat(1 << 21)}\r\n\r\n`],
    ['417', 'GET / HTTP/1.1\r\nhost: localhost\r\nexpect: the impossible\r\nconnection: close\r\n\r\n'],
  ])('has the headers of every answer on a %s of node:http', async (code, bytes) => {
    const answer = await raw(url(), bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${code} `));
    for (const header of ["content-security-policy: default-src 'none'", 'nosniff', 'no-store'])
      expect(answer.toLowerCase()).toContain(header);
  });
});

describe('a page of another site', () => {
  const get = (path: string, headers: Record<string, string>) =>
    raw(
      rpc.url,
      `GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('')}\r\n`,
    );

  it('cannot broadcast by a picture or a link, and a link to the status works', async () => {
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    const picture = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };
    expect(await get('/broadcast_tx_sync?tx=0x01', link)).toMatch(/^HTTP\/1.1 403/);
    expect(await get('/broadcast_tx_sync?tx=0x01', picture)).toMatch(/^HTTP\/1.1 403/);
    expect(await get('/abci_query?path="/app/simulate"&data=0x01', picture)).toMatch(/^HTTP\/1.1 403/);
    expect(await get('/status', link)).toMatch(/^HTTP\/1.1 200/);
  });

  it('opens no websocket', async () => {
    const open = async (origin: string | undefined, host: string) => {
      const socket = new WebSocket(`${rpc.url.replace('http', 'ws')}/websocket`, {
        headers: { host },
        ...(origin === undefined ? {} : { origin }),
      });
      const opened = await new Promise<boolean>((resolve) => {
        socket.once('open', () => resolve(true));
        socket.once('error', () => resolve(false));
      });
      socket.terminate();
      return opened;
    };
    expect(await open(undefined, 'localhost')).toBe(true);
    expect(await open('http://localhost:5173', 'localhost')).toBe(true);
    expect(await open('https://evil.example', 'localhost')).toBe(false);
    expect(await open(undefined, 'evil.example')).toBe(false);
  });
});
