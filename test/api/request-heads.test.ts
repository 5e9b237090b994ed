import { afterEach, describe, expect, test } from 'vitest';
import { errorAnswer, okAnswer, unavailableAnswer } from '../../src/api/answer.ts';
import type { Api } from '../../src/api/api.ts';
import { type ApiServer, listenApi } from '../../src/api/http.ts';
import { HTTP_KINDS } from '../../src/core/http-kind.ts';
import { converse, UNTIL_CLOSED } from './support/converse.ts';

/** Requests that two readers of a connection may read in two ways, and heads beyond the limits, over raw sockets. */

const targets: string[] = [];
const api: Api = {
  handle: (method, target) => {
    targets.push(target);
    if (method !== 'GET') return errorAnswer('method_not_allowed', 'only GET is served');
    return okAnswer([JSON.stringify({ target: target.slice(0, 20) })]);
  },
  refuse: (problem) =>
    problem === undefined ? unavailableAnswer('overloaded') : errorAnswer('bad_request', problem),
};

const servers: ApiServer[] = [];
afterEach(async () => {
  targets.splice(0);
  await Promise.all(servers.splice(0).map((server) => server.close(10)));
});

describe.each(HTTP_KINDS)('over %s', (kind) => {
  async function serve(): Promise<ApiServer> {
    const server = await listenApi(api, { kind, host: '127.0.0.1', port: 0 });
    servers.push(server);
    return server;
  }
  const exchange = (server: ApiServer, bytes: string | Buffer, end: RegExp, waitMs?: number) =>
    converse(server.port, bytes, end, waitMs);

  describe('a request that may be read in two ways', () => {
    const NEXT = 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n';
    const head = (line: string, ...fields: string[]) =>
      `${[`${line} HTTP/1.1`, ...fields].join('\r\n')}\r\n\r\n`;
    const cases: readonly (readonly [name: string, head: string, rest: string])[] = [
      [
        'differing content-lengths',
        head('POST /a', 'Host: x', 'Content-Length: 1', 'Content-Length: 9'),
        'a',
      ],
      [
        'content-length twice, the same',
        head('POST /a', 'Host: x', 'Content-Length: 1', 'Content-Length: 1'),
        'a',
      ],
      [
        'differing content-lengths of a GET',
        head('GET /a', 'Host: x', 'Content-Length: 0', 'Content-Length: 9'),
        '',
      ],
      ['a list of content-lengths', head('POST /a', 'Host: x', 'Content-Length: 1, 9'), 'a'],
      ['a content-length with a sign', head('POST /a', 'Host: x', 'Content-Length: +1'), 'a'],
      ['transfer-encoding: xchunked', head('POST /a', 'Host: x', 'Transfer-Encoding: xchunked'), '0\r\n\r\n'],
      ['transfer-encoding: identity', head('GET /a', 'Host: x', 'Transfer-Encoding: identity'), ''],
      ['an empty transfer-encoding', head('GET /a', 'Host: x', 'Transfer-Encoding:'), ''],
      [
        'chunked twice',
        head('POST /a', 'Host: x', 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'),
        '0\r\n\r\n',
      ],
      [
        'chunked and a content-length',
        head('POST /a', 'Host: x', 'Content-Length: 4', 'Transfer-Encoding: chunked'),
        '0\r\n\r\n',
      ],
      ['two hosts', head('GET /a', 'Host: x', 'Host: y'), ''],
      ['two equal hosts', head('GET /a', 'Host: x', 'Host: x'), ''],
      ['no host', head('GET /a', 'Accept: */*'), ''],
      ['a body of a GET', head('GET /a', 'Host: x', 'Content-Length: 5'), 'hello'],
      ['a chunked body of a GET', head('GET /a', 'Host: x', 'Transfer-Encoding: chunked'), '0\r\n\r\n'],
    ];

    test.each(cases)(
      '%s: 400 or nothing, and the connection is closed before what follows',
      async (_, bytes, rest) => {
        const server = await serve();
        const { received, closed } = await exchange(server, `${bytes}${rest}${NEXT}`, /\}.*\}/s, 1500);
        expect(closed).toBe(true);
        if (received !== '') expect(received).toMatch(/^HTTP\/1\.1 400 /);
        expect(received.match(/HTTP\/1\.1 /g)?.length ?? 0).toBeLessThanOrEqual(1);
        expect(targets).not.toContain('/smuggled');
      },
    );

    test.each(cases)(
      '%s, alone: a coded 400, but where the socket layer itself refuses',
      async (name, bytes, rest) => {
        const server = await serve();
        const { received, closed } = await exchange(server, `${bytes}${rest}`, UNTIL_CLOSED, 1500);
        expect(closed).toBe(true);
        expect(received).toMatch(/^HTTP\/1\.1 400 /);
        expect(received.toLowerCase()).toContain('\r\nconnection: close\r\n');
        const ofItsOwn = [
          'a list of content-lengths',
          'a content-length with a sign',
          'chunked and a content-length',
        ];
        const isUwsPage = kind === 'uws' && [...ofItsOwn, 'no host'].includes(name);
        if (isUwsPage) expect(received).toContain('<h1>Bad Request</h1>');
        else
          expect(JSON.parse(received.slice(received.indexOf('\r\n\r\n') + 4))).toMatchObject({
            code: 'bad_request',
          });
        expect(targets).toEqual([]);
      },
    );

    test('a body that other methods have is not read: 405, and the connection is closed', async () => {
      const server = await serve();
      for (const fields of [
        'Content-Length: 5\r\n\r\nhello',
        'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      ]) {
        const { received, closed } = await exchange(
          server,
          `POST /a HTTP/1.1\r\nHost: x\r\n${fields}`,
          UNTIL_CLOSED,
          1500,
        );
        expect([closed, received.slice(0, 12)]).toEqual([true, 'HTTP/1.1 405']);
      }
    });

    test('a content-length of 0 is no body', async () => {
      const server = await serve();
      const zero = head('GET /a', 'Host: x', 'Content-Length: 0');
      const { received, closed } = await exchange(server, zero + head('GET /b', 'Host: x'), /"\/b"\}$/);
      expect([closed, received.match(/HTTP\/1\.1 200 OK/g)?.length]).toEqual([false, 2]);
    });
  });

  describe('a head', () => {
    const get = (target: string, field = '') => `GET ${target} HTTP/1.1\r\nHost: x\r\n${field}\r\n`;

    test('of 16,000 bytes is read, and a target of its length reaches the API', async () => {
      const server = await serve();
      for (const bytes of [get(`/${'a'.repeat(15_900)}`), get('/a', `X: ${'a'.repeat(15_900)}\r\n`)]) {
        expect((await exchange(server, bytes, /\}$/)).received).toMatch(/^HTTP\/1\.1 200 OK/);
      }
      expect(targets.map((target) => target.length)).toEqual([15_901, 2]);
    });

    test('above 16,384 bytes, or with 101 fields, is refused and the connection closed', async () => {
      const server = await serve();
      for (const bytes of [
        get(`/${'a'.repeat(17_000)}`),
        get('/a', `X: ${'a'.repeat(17_000)}\r\n`),
        get('/a', Array.from({ length: 101 }, (_, i) => `h${i}: v\r\n`).join('')),
      ]) {
        const { received, closed } = await exchange(server, bytes, UNTIL_CLOSED, 1500);
        expect(closed).toBe(true);
        if (kind === 'uws') expect(received).toMatch(/^HTTP\/1\.1 431 .*<h1>/s);
        else expect(received).toMatch(/^HTTP\/1\.1 400 .*\{"error":".*","code":"bad_request"\}$/s);
      }
      expect(targets).toEqual([]);
    });

    test.each([
      ['HTTP/1.0', 'GET /a HTTP/1.0\r\nHost: x\r\n\r\n'],
      ['line feeds alone', 'GET /a HTTP/1.1\nHost: x\n\n'],
      ['CONNECT', 'CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n'],
      ['TLS', Buffer.from('16030100a5010000a1', 'hex')],
    ])('of %s is refused, in JSON but for uWebSockets.js, and the connection closed', async (_, bytes) => {
      const server = await serve();
      const { received, closed } = await exchange(server, bytes, UNTIL_CLOSED, 1500);
      expect([closed, targets]).toEqual([true, []]);
      if (kind === 'uws') expect(received).toMatch(/^HTTP\/1\.1 505 /);
      else expect(received).toMatch(/^HTTP\/1\.1 400 .*"code":"bad_request"\}$/s);
    });

    test('with a method in lower case is not that method', async () => {
      const server = await serve();
      const { received } = await exchange(server, 'get /a HTTP/1.1\r\nHost: x\r\n\r\n', /\r\n\r\n/, 1000);
      expect(received).toMatch(/^HTTP\/1\.1 40[05] /);
    });
  });
});

test('over node:http what cannot be read does not take the answer to the request before it', async () => {
  const late: Api = {
    ...api,
    handle: () => new Promise((resolve) => setTimeout(() => resolve(okAnswer(['{}'])), 300)),
  };
  const server = await listenApi(late, { kind: 'node', host: '127.0.0.1', port: 0 });
  servers.push(server);
  const bytes = 'GET /a HTTP/1.1\r\nHost: x\r\n\r\n?garbage\r\n\r\n';
  const { received, closed } = await converse(server.port, bytes, UNTIL_CLOSED, 2_000);
  expect([received, closed]).toEqual(['', true]);
});
