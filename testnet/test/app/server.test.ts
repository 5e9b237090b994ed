import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { ClientError } from 'strata-kit/client/errors';
import { createThrottledWarning } from 'strata-kit/throttled-warning';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { closeApp, createApp, listenApp } from '../../src/app.ts';
import { AppError } from '../../src/errors.ts';
import type { Part } from '../../src/part.ts';

/** The server around the parts: what it says when something is wrong, and what every answer carries. */

const lines: string[] = [];
const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) });
const secret = 'password of the database is hunter2';
const part: Part = {
  name: 'test',
  routes(server) {
    server.get('/api/thing', () => ({ ok: true }));
    server.post('/api/thing', (request) => request.body);
    server.post('/api/wide', { bodyLimit: 100_000 }, () => ({ ok: true }));
    server.get('/api/defect', () => {
      throw new Error(secret);
    });
    server.get('/api/away', () => {
      throw new ClientError('unreachable', 'http://10.0.0.7 does not answer');
    });
    server.get('/api/slow-down', () => {
      throw new AppError('too_many_requests', 'five a minute', { retryAfterSeconds: 12 });
    });
  },
};
const server = await createApp([part], { log, trustedProxies: 0 });
const port = Number(new URL(await listenApp(server, { host: '127.0.0.1', port: 0 })).port);
afterEach(() => lines.splice(0));
afterAll(() => closeApp(server));

async function ask(method: 'GET' | 'POST' | 'PUT' | 'OPTIONS', url: string, payload?: string, type?: string) {
  const answer = await server.inject({
    method,
    url,
    ...(payload === undefined ? {} : { payload, headers: { 'content-type': type ?? 'application/json' } }),
  });
  return { status: answer.statusCode, headers: answer.headers, text: answer.body };
}

describe('refusals', () => {
  it.each([
    ['GET', '/nowhere', undefined, 404, 'not_found'],
    ['GET', '/%zz', undefined, 400, 'bad_request'],
    ['POST', '/api/thing', '{"a":', 400, 'bad_request'],
    ['POST', '/api/thing', '{"__proto__":{"a":1}}', 400, 'bad_request'],
    ['POST', '/api/thing', `"${'a'.repeat(70_000)}"`, 413, 'payload_too_large'],
    ['POST', '/api/wide', `"${'a'.repeat(110_000)}"`, 413, 'payload_too_large'],
    ['PUT', '/api/thing', '{}', 405, 'method_not_allowed'],
    ['OPTIONS', '/api/thing', undefined, 405, 'method_not_allowed'],
    ['POST', '/api/defect', `"${'a'.repeat(110_000)}"`, 405, 'method_not_allowed'],
    ['GET', '/api/defect', undefined, 500, 'internal'],
    ['GET', '/api/slow-down', undefined, 429, 'too_many_requests'],
  ] as const)('%s %s', async (method, url, body, status, code) => {
    const answer = await ask(method, url, body);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text)).toEqual({ error: expect.any(String), code });
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('take JSON alone', async () => {
    const answer = await ask('POST', '/api/thing', 'a=1', 'application/x-www-form-urlencoded');
    expect([answer.status, JSON.parse(answer.text).code]).toEqual([400, 'bad_request']);
    expect((await ask('POST', '/api/thing', '{"a":1}')).text).toBe('{"a":1}');
    expect((await ask('POST', '/api/wide', `"${'a'.repeat(90_000)}"`)).status).toBe(200);
  });

  it('name the methods that a path takes, and when to come again', async () => {
    expect((await ask('PUT', '/api/thing', '{}')).headers.allow).toBe('GET, HEAD, POST');
    expect((await ask('POST', '/api/defect', '{}')).headers.allow).toBe('GET, HEAD');
    expect((await ask('GET', '/api/slow-down')).headers['retry-after']).toBe('12');
  });

  it('keep the text of a defect in the log', async () => {
    const answer = await ask('GET', '/api/defect');
    expect(answer.text).not.toContain('hunter2');
    expect(lines.join('')).toContain(secret);
    expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({ level: 50, request: 'GET /api/defect' });
  });
});

describe('who asks', () => {
  const from = { 'x-forwarded-for': '10.0.0.9, 10.0.0.1' };
  it.each([
    [0, '127.0.0.1'],
    [1, '10.0.0.1'],
    [2, '10.0.0.9'],
  ])('is, with %i proxies before the app, %s', async (trustedProxies, ip) => {
    const asking: Part = { name: 'ip', routes: (scope) => void scope.get('/ip', (request) => request.ip) };
    const app = await createApp([asking], { log, trustedProxies });
    expect((await app.inject({ url: '/ip', headers: from })).body).toBe(ip);
  });
});

describe('what does not answer', () => {
  it('is a line of the log, every ten seconds at most', async () => {
    let nowMs = 5;
    const warn = createThrottledWarning(log, 'the cow does not answer', () => nowMs);
    const error = new Error('no milk', { cause: Object.assign(new Error(''), { code: 'ECONNREFUSED' }) });
    warn(error, { request: 'GET /milk' });
    warn(error);
    nowMs += 9_999;
    warn(error);
    nowMs += 1;
    warn('gone');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        msg: 'the cow does not answer: no milk: ECONNREFUSED',
        request: 'GET /milk',
      }),
      expect.objectContaining({ msg: 'the cow does not answer: gone', leftOut: 2 }),
    ]);
    expect(lines.join('')).not.toContain('stack');
  });

  it('is 503, and told once of many requests', async () => {
    for (let i = 0; i < 3; i++) {
      const answer = await ask('GET', '/api/away');
      expect([answer.status, JSON.parse(answer.text)]).toEqual([
        503,
        { error: 'the chain does not answer', code: 'unavailable' },
      ]);
    }
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 40, request: 'GET /api/away' });
  });
});

/** What comes back of bytes as they are. */
async function answerTo(bytes: string): Promise<{ head: string; body: unknown }> {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  return { head, body: JSON.parse(body) };
}

describe('bytes that are no request', () => {
  it.each([
    ['words', 'HELLO\r\n\r\n', '400 Bad Request'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
      '400 Bad Request',
    ],
    [
      'a header without an end',
      `GET / HTTP/1.1\r\nx: ${'a'.repeat(20_000)}`,
      '431 Request Header Fields Too Large',
    ],
  ])('%s', async (_, bytes, status) => {
    const { head, body } = await answerTo(bytes);
    expect(head.split('\r\n')[0]).toBe(`HTTP/1.1 ${status}`);
    expect(head).toContain("content-security-policy: default-src 'none'");
    expect(head).toContain('x-content-type-options: nosniff');
    expect(body).toEqual({ error: expect.any(String), code: 'bad_request' });
  });

  it('and methods that nobody uses', async () => {
    const { head, body } = await answerTo(
      'TRACE /api/thing HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
    );
    expect(head).toMatch(/^HTTP\/1\.1 405 .*\r\nallow: GET, HEAD, POST\r\n/s);
    expect(body).toMatchObject({ code: 'method_not_allowed' });
  });
});

describe('headers', () => {
  const expected = {
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
      "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'permissions-policy': expect.stringContaining('camera=()'),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  };

  it.each([['/api/thing'], ['/nowhere'], ['/%zz'], ['/api/defect']])('of %s', async (url) => {
    const { headers } = await ask('GET', url);
    expect(headers).toMatchObject(expected);
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    expect(headers).not.toHaveProperty('x-powered-by');
  });
});
