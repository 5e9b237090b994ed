import { once } from 'node:events';
import { request as requestHttp } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { closeApp, createApp, listenApp } from '../../src/app.ts';
import type { Connections } from '../../src/listener.ts';
import type { Part } from '../../src/part.ts';

/** Who holds connections and asks for nothing keeps nobody else out. Every 127.x address is a client of its own. */

const BOUNDS: Connections = { most: 20, ofAddress: 8, headMs: 30_000 };
const open: {
  app: FastifyInstance | undefined;
  sockets: Socket[];
  port: number;
  /** Answers `/api/slow`; undefined while nobody has asked for it. */
  finish: (() => void) | undefined;
} = { app: undefined, sockets: [], port: 0, finish: undefined };
const lines: string[] = [];

const part: Part = {
  name: 'test',
  routes(server) {
    server.get('/api/thing', () => ({ ok: true }));
    server.post('/api/thing', () => ({ ok: true }));
    server.get('/api/slow', () => new Promise((resolve) => (open.finish = () => resolve({ ok: true }))));
  },
};

async function start({ trustedProxies = 0, headMs = BOUNDS.headMs } = {}): Promise<void> {
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) });
  open.app = await createApp([part], { log, trustedProxies, connections: { ...BOUNDS, headMs } });
  open.port = Number(new URL(await listenApp(open.app, { host: '127.0.0.1', port: 0 })).port);
}

afterEach(async () => {
  for (const socket of open.sockets.splice(0)) socket.destroy();
  lines.splice(0);
  if (open.app !== undefined) await closeApp(open.app);
});

async function dial(from: string, bytes = ''): Promise<Socket> {
  const socket = connect({ port: open.port, host: '127.0.0.1', localAddress: from });
  socket.on('error', () => undefined);
  open.sockets.push(socket);
  await once(socket, 'connect');
  if (bytes !== '') socket.write(bytes);
  return socket;
}

const HEAD = 'GET /api/thing HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n';
const statusOf = async (from: string) => (await text(await dial(from, `${HEAD}\r\n`))).split('\r\n')[0];

describe('idle connections beyond the bound', () => {
  it.each([
    ['of one address that sends nothing', () => '127.0.0.2', ''],
    ['of many addresses that send nothing', (i: number) => `127.0.1.${i + 1}`, ''],
    [
      'of many addresses that never end their head',
      (i: number) => `127.0.1.${i + 1}`,
      'GET / HTTP/1.1\r\nx: ',
    ],
    [
      'of many addresses that never send their body',
      (i: number) => `127.0.1.${i + 1}`,
      'POST /api/thing HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{',
    ],
  ])('%s keep nobody out', async (_, from, bytes) => {
    await start();
    for (let i = 0; i < 40; i++) await dial(from(i), bytes);
    for (let i = 0; i < 5; i++) expect(await statusOf('127.0.0.9')).toBe('HTTP/1.1 200 OK');
    await expect.poll(() => open.sockets.filter(({ closed }) => !closed).length).toBeLessThanOrEqual(20);
  });

  it('of one address close its own oldest, and no one else', async () => {
    await start();
    const other = await dial('127.0.0.9');
    const own = await Promise.all(Array.from({ length: 10 }, () => dial('127.0.0.2')));
    await expect.poll(() => own.filter(({ closed }) => closed)).toHaveLength(2);
    expect([own[0]?.closed, own[1]?.closed, other.closed]).toEqual([true, true, false]);
    expect(lines.join('')).toContain('too many connections');
  });

  it('never cost an answer that is being made', async () => {
    await start();
    const asking = requestHttp({
      port: open.port,
      host: '127.0.0.1',
      localAddress: '127.0.0.9',
      path: '/api/slow',
    });
    const answered = once(asking.end(), 'response');
    await expect.poll(() => open.finish !== undefined).toBe(true);
    for (let i = 0; i < 40; i++) await dial(`127.0.1.${i + 1}`);
    await statusOf('127.0.0.8');
    open.finish?.();
    const [answer] = await answered;
    expect(answer.statusCode).toBe(200);
    answer.resume();
  });

  it('of a proxy that is trusted are bounded together alone', async () => {
    await start({ trustedProxies: 1 });
    const sockets = await Promise.all(Array.from({ length: 18 }, () => dial('127.0.0.2')));
    expect(await statusOf('127.0.0.2')).toBe('HTTP/1.1 200 OK');
    expect(sockets.filter(({ closed }) => closed)).toEqual([]);
  });
});

it.each([
  ['nothing', ''],
  ['half a head', 'GET /api/thing HTTP/1.1\r\nhost: loc'],
])('a connection that sends %s ends when its time for a head is up', async (_, bytes) => {
  await start({ headMs: 100 });
  expect((await text(await dial('127.0.0.2', bytes))).split('\r\n')[0]).toBe('HTTP/1.1 408 Request Timeout');
});
