import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createBodyBudget } from 'strata-kit/body-budget';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { okAnswer, unavailableAnswer } from '../../src/api/answer.ts';
import type { Api } from '../../src/api/api.ts';
import { type ApiServer, listenApi, type ServerOptions } from '../../src/api/http.ts';
import { HTTP_KINDS, type HttpKind } from '../../src/core/http-kind.ts';

/** Clients that read slowly, send slowly or come in crowds cost a bounded part of the server. */

const HOST = '127.0.0.1';
/** The listener under test. */
let kind: HttpKind = 'uws';
const HEAVY_BYTES = 20_000_000;
const heavy = Buffer.alloc(HEAVY_BYTES, 'strata ');

const shared = okAnswer([heavy]);

const api: Api = {
  handle: (_method, target) => {
    if (target === '/heavy') return shared;
    return okAnswer(['{}']);
  },
  refuse: () => unavailableAnswer('overloaded'),
};

const sockets: Socket[] = [];
const servers: ApiServer[] = [];
const children: ChildProcess[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const child of children.splice(0)) child.disconnect();
  await Promise.all(servers.splice(0).map((server) => server.close(10)));
});

async function serve(options: Partial<ServerOptions> = {}): Promise<ApiServer> {
  const server = await listenApi(api, { kind, host: HOST, port: 0, ...options });
  servers.push(server);
  return server;
}

interface Client {
  readonly socket: Socket;
  /** Status of the answer; 0 until it came. */
  status(): number;
  head(): string;
  closed(): boolean;
}

/** Reads the head of an answer and then nothing more. */
async function open(port: number, request = ''): Promise<Client> {
  const socket = connect(port, HOST);
  sockets.push(socket);
  let head = '';
  let closed = false;
  socket.on('error', () => {});
  socket.on('close', () => {
    closed = true;
  });
  socket.on('data', (chunk) => {
    head += chunk.toString('latin1').slice(0, 400);
    if (chunk.length > 400) socket.pause();
  });
  await once(socket, 'connect');
  if (request !== '') socket.write(request);
  return {
    socket,
    status: () => Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0),
    head: () => head,
    closed: () => closed,
  };
}

const get = (target: string) => `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`;

test('counts a body once, frees it with its last reader, and lets a single large one pass', () => {
  const budget = createBodyBudget(100);
  const [a, b, c] = [new Uint8Array(60), new Uint8Array(50), new Uint8Array(500)];
  expect([budget.hold(a), budget.hold(a), budget.hold(b), budget.heldBytes]).toEqual([true, true, false, 60]);
  budget.release(a);
  expect([budget.hold(b), budget.heldBytes]).toEqual([false, 60]);
  budget.release(a);
  expect([budget.heldBytes, budget.hold(b), budget.heldBytes]).toEqual([0, true, 50]);
  budget.release(b);
  expect([budget.hold(c), budget.hold(b), budget.heldBytes]).toEqual([true, false, 500]);
  budget.release(c);
  budget.release(c);
  expect(budget.heldBytes).toBe(0);
});

describe.each(HTTP_KINDS)('over %s', (each) => {
  beforeAll(() => {
    kind = each;
  });

  describe('the budget of bytes', () => {
    test('50 slow readers of one heavy answer hold it once; when they leave, nothing is held', async () => {
      const server = await serve({ maxHeldBytes: HEAVY_BYTES });
      const clients = await Promise.all(Array.from({ length: 50 }, () => open(server.port, get('/heavy'))));
      await expect.poll(() => clients.filter((client) => client.status() === 200).length).toBe(50);
      expect(server.heldBytes).toBe(HEAVY_BYTES);
      // others are answered all the while
      expect((await fetch(`http://${HOST}:${server.port}/`)).status).toBe(200);
      for (const { socket } of clients) socket.destroy();
      await expect.poll(() => server.heldBytes).toBe(0);
    });

    test('50 slow readers of 50 heavy answers: some read, the others get a 503, and memory stays bounded', async () => {
      const maxHeldBytes = 5 * HEAVY_BYTES;
      const script = fileURLToPath(new URL('../support/run-heavy-api.ts', import.meta.url));
      const child = fork(script, [String(HEAVY_BYTES), String(maxHeldBytes), kind], {
        execArgv: ['--import', 'tsx', '--expose-gc'],
      });
      children.push(child);
      const told = async (): Promise<unknown> => (await once(child, 'message'))[0];
      const port = Number(await told());
      const measure = async () => {
        child.send('measure');
        return (await told()) as { readonly rssBytes: number; readonly heldBytes: number };
      };
      const before = await measure();
      const clients = await Promise.all(Array.from({ length: 50 }, () => open(port, get('/heavy'))));
      await expect
        .poll(() => clients.filter((client) => client.status() > 0).length, { timeout: 30_000 })
        .toBe(50);
      const refused = clients.filter((client) => client.status() === 503);
      expect(clients.filter((client) => client.status() === 200).length).toBe(5);
      expect(refused.length).toBe(45);
      for (const client of refused) {
        expect(client.head()).toMatch(/\r\nretry-after: 1\r\n/i);
        expect(client.head()).toMatch(/\{"error":"overloaded","code":"internal"\}$/);
      }
      const during = await measure();
      expect(during.heldBytes).toBe(maxHeldBytes);
      // 50 bodies would be 1 GB
      expect(during.rssBytes - before.rssBytes).toBeLessThan(3 * maxHeldBytes);
      expect((await fetch(`http://${HOST}:${port}/small`)).status).toBe(200);
      for (const { socket } of clients) socket.destroy();
      await expect.poll(async () => (await measure()).heldBytes, { timeout: 10_000 }).toBe(0);
    });

    test('a client below the lowest rate is closed, and its body let go', async () => {
      const server = await serve({ readGraceMs: 50, minReadBytesPerMs: HEAVY_BYTES });
      await open(server.port, get('/heavy'));
      await expect.poll(() => server.heldBytes).toBe(HEAVY_BYTES);
      // before uWebSockets' own limit of 10 s for a socket that takes nothing
      await expect.poll(() => server.heldBytes, { timeout: 8_000 }).toBe(0);
    }, 20_000);
  });

  describe('connections', () => {
    test('beyond the bound are closed as they come, and there is room again when one leaves', async () => {
      const server = await serve({ maxConnections: 8 });
      const clients = await Promise.all(Array.from({ length: 20 }, () => open(server.port)));
      await expect.poll(() => clients.filter((client) => client.closed()).length).toBe(12);
      expect(server.connections).toBe(8);
      const open8 = clients.filter((client) => !client.closed());
      for (const { socket } of open8) socket.write(get('/'));
      await expect.poll(() => open8.filter((client) => client.status() === 200).length).toBe(8);
      open8[0]?.socket.destroy();
      await expect.poll(() => server.connections).toBe(7);
      const late = await open(server.port, get('/'));
      await expect.poll(() => late.status()).toBe(200);
    });

    test('that send nothing, or a request line byte by byte, or nothing more, are closed', async () => {
      const server = await serve();
      const silent = await open(server.port);
      const trickling = await open(server.port, 'GET /');
      const idle = await open(server.port, get('/'));
      const writing = setInterval(() => trickling.socket.write('a'), 200);
      try {
        await expect
          .poll(() => [silent, trickling, idle].filter((client) => client.closed()).length, {
            timeout: 40_000,
          })
          .toBe(3);
      } finally {
        clearInterval(writing);
      }
      expect([silent.status(), trickling.status(), idle.status()]).toEqual([0, 0, 200]);
      expect(server.connections).toBe(0);
    });
  });
});
