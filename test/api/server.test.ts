import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { errorAnswer, type HttpAnswer, okAnswer, unavailableAnswer } from '../../src/api/answer.ts';
import type { Api } from '../../src/api/api.ts';
import { type ApiServer, listenApi } from '../../src/api/http.ts';
import { HTTP_KINDS, type HttpKind } from '../../src/core/http-kind.ts';
import { converse } from './support/converse.ts';

const HOST = '127.0.0.1';
/** The listener under test. */
let kind: HttpKind = 'uws';
const LARGE_BYTES = 40_000_000;
const large = Buffer.alloc(LARGE_BYTES, 'strata ');
const later: { answer: ((answer: HttpAnswer) => void)[] } = { answer: [] };
const targets: string[] = [];

/** Answers that show what reached the API; the routes themselves are tested without a socket. */
const api: Api = {
  handle: (method, target) => {
    targets.push(target);
    if (method !== 'GET') return errorAnswer('method_not_allowed', 'only GET is served');
    if (target === '/large') return okAnswer([large]);
    if (target === '/large-later') return sleep(5).then(() => okAnswer([large]));
    if (target === '/later') return new Promise((resolve) => later.answer.push(resolve));
    if (target === '/soon') return sleep(5).then(() => okAnswer(['"soon"']));
    return okAnswer([JSON.stringify({ target })]);
  },
  refuse: (problem) =>
    problem === undefined ? unavailableAnswer('overloaded') : errorAnswer('bad_request', problem),
};

const servers: ApiServer[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  later.answer.splice(0);
  targets.splice(0);
  await Promise.all(servers.splice(0).map((server) => server.close(10)));
});

async function serve(maxInFlight?: number): Promise<ApiServer> {
  const server = await listenApi(api, {
    kind,
    host: HOST,
    port: 0,
    ...(maxInFlight === undefined ? {} : { maxInFlight }),
  });
  servers.push(server);
  return server;
}

const urlOf = (server: ApiServer, target: string) => `http://${HOST}:${server.port}${target}`;

async function openSocket(server: ApiServer): Promise<Socket> {
  const socket = connect(server.port, HOST);
  sockets.push(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

const exchange = (server: ApiServer, bytes: string | Buffer, end: RegExp, waitMs?: number) =>
  converse(server.port, bytes, end, waitMs);

async function expectAlive(server: ApiServer): Promise<void> {
  const answer = await fetch(urlOf(server, '/alive?x=1'));
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ target: '/alive?x=1' });
}

/** uWebSockets.js has binaries up to Node 22. */
const kindsHere = HTTP_KINDS.filter(
  (each) => each !== 'uws' || Number.parseInt(process.versions.node, 10) <= 22,
);

describe.each(kindsHere)('over %s', (each) => {
  beforeAll(() => {
    kind = each;
  });
  describe('answers', () => {
    test('path and query reach the API as they stood in the request line', async () => {
      const server = await serve();
      for (const target of ['/', '/v1/txs?limit=3&cursor=A_-&limit=4', '/a%2Fb%zz?%ff=%', '/V1//x/']) {
        const answer = await fetch(urlOf(server, target));
        expect(answer.status).toBe(200);
        expect(await answer.json()).toEqual({ target });
      }
    });

    test('have content-type and content-length, and no CORS header or cookie', async () => {
      const server = await serve();
      const answer = await fetch(urlOf(server, '/soon'), { headers: { origin: 'http://elsewhere.example' } });
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(answer.headers.get('content-length')).toBe('6');
      const names = [...answer.headers.keys()];
      expect(names.filter((name) => name.startsWith('access-control-') || name === 'set-cookie')).toEqual([]);
    });

    test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'])(
      '%s is 405 with allow: GET',
      async (method) => {
        const server = await serve();
        const body = method === 'POST' || method === 'PUT' ? { body: 'x'.repeat(100_000) } : {};
        const answer = await fetch(urlOf(server, '/v1/txs'), { method, ...body });
        expect(answer.status).toBe(405);
        expect(answer.headers.get('allow')).toBe('GET');
        const text = await answer.text();
        if (method === 'HEAD') expect(text).toBe('');
        else expect(JSON.parse(text)).toEqual({ error: 'only GET is served', code: 'method_not_allowed' });
        await expectAlive(server);
      },
    );

    test('HEAD sends no body bytes, so the connection stays in step', async () => {
      const server = await serve();
      const { received } = await exchange(
        server,
        'HEAD /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\n',
        /\}$/,
      );
      const [head, second] = received.split('\r\n\r\n');
      expect(head).toMatch(/^HTTP\/1\.1 405 /);
      expect(second).toMatch(/^HTTP\/1\.1 200 OK/);
      expect(received).toMatch(/\{"target":"\/b"\}$/);
    });
  });

  describe('hostile requests get a coded answer or a closed socket', () => {
    const line = (target: string | Buffer, method = 'GET') =>
      Buffer.concat([
        Buffer.from(`${method} `),
        Buffer.from(target),
        Buffer.from(' HTTP/1.1\r\nHost: x\r\n\r\n'),
      ]);
    test.each<[string, string | Buffer]>([
      ['bad percent escapes', line('/v1/%zz?%=%ff')],
      ['bytes above 127', line(Buffer.from([0x2f, 0xff, 0xfe, 0x80, 0xc3, 0x28]))],
      ['a NUL', line('/v1/\0/x')],
      ['control characters', line('/v1/\x01\x7f\t')],
      ['a path of 3,900 bytes', line(`/${'a'.repeat(3900)}`)],
      ['a path of 100,000 bytes', line(`/${'a'.repeat(100_000)}`)],
      ['a path that never ends', `GET /${'a'.repeat(1_000_000)}`],
      ['no path', 'GET HTTP/1.1\r\nHost: x\r\n\r\n'],
      ['an absolute URL', line('http://elsewhere.example/v1/txs')],
      ['an asterisk', line('*', 'OPTIONS')],
      ['an unknown method', line('/v1/txs', 'BREW')],
      ['a method of odd bytes', line('/v1/txs', '\x00\xff')],
      ['CONNECT', line('elsewhere.example:80', 'CONNECT')],
      ['no host', 'GET /v1/txs HTTP/1.1\r\n\r\n'],
      ['HTTP/1.0', 'GET /v1/txs HTTP/1.0\r\n\r\n'],
      ['HTTP/0.9', 'GET /v1/txs\r\n'],
      ['another protocol', Buffer.from('16030100a5010000a1', 'hex')],
      ['line feeds only', 'GET /v1/txs HTTP/1.1\nHost: x\n\n'],
      ['a thousand headers', `GET / HTTP/1.1\r\nHost: x\r\n${'a: b\r\n'.repeat(1000)}\r\n`],
      [
        'two content lengths',
        'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 9\r\n\r\nab',
      ],
      ['chunks of nonsense', 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzzz\r\n'],
      [
        'a websocket upgrade',
        'GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n',
      ],
      ['nothing but line ends', '\r\n\r\n\r\n'],
    ])('%s', async (_, bytes) => {
      const server = await serve();
      const { received } = await exchange(server, bytes, /\r\n\r\n/, 300);
      if (received !== '') expect(received).toMatch(/^HTTP\/1\.1 (200|4\d\d|505) /);
      await expectAlive(server);
    });

    test('random bytes', async () => {
      const server = await serve();
      for (let seed = 1; seed <= 20; seed++) {
        const bytes = Buffer.from(
          Array.from({ length: 500 }, (_, i) => (Math.imul(i + 1, seed * 2_654_435_761) >>> 13) & 255),
        );
        await exchange(server, bytes, /\r\n\r\n/, 20);
      }
      await expectAlive(server);
    });

    test('pipelined requests are answered in order, or the socket is closed', async () => {
      const server = await serve();
      const bodies = /\{"target":"\/\w"\}/g;
      const lines = (...paths: string[]) => Buffer.concat(paths.map((target) => line(target)));
      const { received } = await exchange(server, lines('/a', '/b', '/c'), /"\/c"\}$/);
      expect(received.match(bodies)).toEqual(['{"target":"/a"}', '{"target":"/b"}', '{"target":"/c"}']);
      // behind an answer that takes time the socket is closed
      const slow = await exchange(server, lines('/soon', '/b'), /"\/b"\}$/);
      expect(slow.closed || /"soon".*"\/b"\}$/s.test(slow.received)).toBe(true);
      await expectAlive(server);
    });
  });

  describe('large answers', () => {
    test.each(['/large', '/large-later'])(
      '%s arrives whole at a slow reader, byte for byte',
      async (target) => {
        const server = await serve();
        const socket = await openSocket(server);
        socket.pause();
        socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
        await sleep(200);
        // the server holds what the socket does not take, and goes on serving others
        await expectAlive(server);
        const chunks: Buffer[] = [];
        socket.on('data', (chunk) => chunks.push(chunk));
        socket.resume();
        let length = 0;
        while (length < LARGE_BYTES) {
          await once(socket, 'data');
          length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
        }
        const received = Buffer.concat(chunks);
        const body = received.subarray(received.indexOf('\r\n\r\n') + 4);
        expect(body.length).toBe(LARGE_BYTES);
        expect(body.equals(large)).toBe(true);
      },
    );

    test('a client that leaves in mid-answer, or before it, costs nothing but its own request', async () => {
      const server = await serve(3);
      for (const target of ['/large', '/large-later', '/later', '/later', '/soon', '/large']) {
        const socket = await openSocket(server);
        socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
        await sleep(20);
        socket.destroy();
        await sleep(20);
      }
      for (const answer of later.answer) answer(okAnswer(['too late']));
      await sleep(20);
      // three in flight at most: had a lost client kept its place, this would be refused
      await expectAlive(server);
    });
  });

  describe('limits and closing', () => {
    test('more requests than the bound are answered 503 overloaded, and the place is given back', async () => {
      const server = await serve(2);
      const waiting = [fetch(urlOf(server, '/later')), fetch(urlOf(server, '/later'))];
      while (later.answer.length < 2) await sleep(5);
      const refused = await fetch(urlOf(server, '/alive'));
      expect(refused.status).toBe(503);
      expect(await refused.json()).toEqual({ error: 'overloaded', code: 'internal' });
      for (const answer of later.answer) answer(okAnswer(['1']));
      expect((await Promise.all(waiting)).map((answer) => answer.status)).toEqual([200, 200]);
      await expectAlive(server);
    });

    test('a taken port is a clear error', async () => {
      const server = await serve();
      await expect(listenApi(api, { kind, host: HOST, port: server.port })).rejects.toMatchObject({
        code: 'config_invalid',
        message: expect.stringContaining(`${HOST}:${server.port}`),
      });
      await expectAlive(server);
    });

    test('close lets the answers in flight finish and takes no new connection', async () => {
      const server = await serve();
      const waiting = fetch(urlOf(server, '/later'));
      while (later.answer.length < 1) await sleep(5);
      const closing = server.close();
      await expect(fetch(urlOf(server, '/alive'))).rejects.toThrow();
      later.answer[0]?.(okAnswer(['"done"']));
      expect(await (await waiting).json()).toBe('done');
      await closing;
    });

    test('close ends after its grace when an answer never comes', async () => {
      const server = await serve();
      const waiting = fetch(urlOf(server, '/later')).catch((error: unknown) => error);
      while (later.answer.length < 1) await sleep(5);
      const startMs = Date.now();
      await server.close(100);
      expect(Date.now() - startMs).toBeLessThan(1000);
      expect(await waiting).toBeInstanceOf(Error);
    });
  });
});
