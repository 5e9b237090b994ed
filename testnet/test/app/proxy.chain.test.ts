import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { closeApp, createApp, listenApp } from '../../src/app.ts';
import { createForward, type ForwardOptions } from '../../src/proxy.ts';
import { silent } from './support/test-chain.ts';

/** `/v1` of the app is the indexer's, byte for byte; and when there is none, the app says so. */

let indexer: Server;
let seen: IncomingMessage[] = [];
let answer: (request: IncomingMessage, response: ServerResponse) => void;
const closing: (() => Promise<void>)[] = [];
let app: string;

beforeAll(async () => {
  indexer = createServer((request, response) => {
    seen.push(request);
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(indexer, 'listening');
  app = await serve({ url: urlOf(indexer) });
});
beforeEach(() => {
  seen = [];
});
afterAll(async () => {
  for (const close of closing) await close();
  indexer.closeAllConnections();
  indexer.close();
});

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function serve(options: Omit<ForwardOptions, 'log'>, trustedProxies = 0): Promise<string> {
  const forward = createForward({ ...options, log: silent });
  const server = await createApp([], { log: silent, trustedProxies, forward });
  closing.push(() => closeApp(server));
  return listenApp(server, { host: '127.0.0.1', port: 0 });
}

interface Given {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

async function ask(
  target: string,
  {
    at = app,
    method = 'GET',
    headers = {},
    body = '',
  }: { at?: string; method?: string; headers?: object; body?: string } = {},
): Promise<Given> {
  const { hostname, port } = new URL(at);
  const asking = request({ hostname, port, path: target, method, headers: { ...headers } });
  asking.end(body);
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) };
}

describe('what is forwarded', () => {
  it.each([
    '/v1/status',
    '/v1/txs?cursor=a%2Fb%3D&limit=2&limit=3&&x',
    '/v1/lookup/%zz',
    '/v1/lookup/%2e%2e%2f%00?q=%',
    '/v1/../v1/./txs//',
    '/v1/lookup/a\'b(c)*!$&+,;=:@~|^`{}[]"<>\\',
    `/v1/lookup/${'x'.repeat(5_000)}`,
    '/v1/?',
    '/v1',
    '/v1?x=1',
    '/openapi.yaml',
    '/openapi.yaml?x=1',
  ])('%.60s reaches the indexer as it is', async (target) => {
    answer = (_, response) => response.end('ok');
    // a socket of its own: a client would tidy the target up
    const { hostname, port } = new URL(app);
    const socket = connect(Number(port), hostname);
    socket.write(`GET ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(seen.map(({ url }) => url)).toEqual([target]);
  });

  it.each(['/v1x', '/v2/status', '/openapi.yamlx', '/openapi.yaml/x', '//v1/status', '/V1/status'])(
    '%s does not',
    async (target) => {
      expect((await ask(target)).status).toBe(404);
      expect(seen).toEqual([]);
    },
  );

  it.each(['/v1/../metrics', '/v1/x/%2E%2e/../../metrics?a=b', '/v1/..', '/v1/..\\metrics'])(
    '%s, which leads out of it, does not',
    async (target) => {
      expect((await ask(target)).status).toBe(404);
      expect(seen).toEqual([]);
    },
  );

  it('is told what its answer depends on, and no more of the browser', async () => {
    answer = (_, response) => response.end('ok');
    const headers = { 'accept-encoding': 'br', 'if-none-match': '"a"', cookie: 'a=b', authorization: 'c' };
    await ask('/v1/status', { headers });
    expect(seen[0]?.headers).toMatchObject({ 'accept-encoding': 'br', 'if-none-match': '"a"' });
    expect(seen[0]?.headers).not.toHaveProperty('cookie');
    expect(seen[0]?.headers).not.toHaveProperty('authorization');
  });

  it('knows the user and password of its URL', async () => {
    answer = (_, response) => response.end('ok');
    const at = await serve({ url: urlOf(indexer).replace('//', '//reader:p%40ss@') });
    expect((await ask('/v1/status', { at })).status).toBe(200);
    const basic = Buffer.from('reader:p@ss').toString('base64');
    expect(seen[0]?.headers.authorization).toBe(`Basic ${basic}`);
  });

  it.each(['/v1', '/v1/', '/v1/status'])('HEAD %s is the indexer to refuse as well', async (target) => {
    answer = (_, response) => response.writeHead(405, { allow: 'GET' }).end();
    const { status, headers } = await ask(target, { method: 'HEAD' });
    expect([status, headers.allow, seen.map(({ method, url }) => `${method} ${url}`)]).toEqual([
      405,
      'GET',
      [`HEAD ${target}`],
    ]);
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'PROPFIND'])(
    '%s is the indexer to refuse',
    async (method) => {
      answer = (request, response) => {
        response.writeHead(405, { allow: 'GET', 'content-type': 'application/json; charset=utf-8' });
        response.end(JSON.stringify({ error: request.method, code: 'method_not_allowed' }));
      };
      const { status, headers, body } = await ask('/v1/txs', {
        method,
        body: method === 'POST' ? 'x'.repeat(1e6) : '',
      });
      expect([status, headers.allow, JSON.parse(body.toString())]).toEqual([
        405,
        'GET',
        { error: method, code: 'method_not_allowed' },
      ]);
    },
  );
});

describe('what comes back', () => {
  const bytes = gzipSync(Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7919) % 256)));

  it('is the status, the headers and the bytes, with the security headers over them', async () => {
    const told = {
      'content-type': 'application/json; charset=utf-8',
      'content-encoding': 'gzip',
      'cache-control': 'public, max-age=31536000, immutable',
      etag: '"17-abc"',
      vary: 'accept-encoding',
      'x-strata': 'indexer',
    };
    answer = (_, response) => {
      response.writeHead(200, { ...told, 'content-length': bytes.length });
      response.end(bytes);
    };
    const { status, headers, body } = await ask('/v1/blocks/17', { headers: { 'accept-encoding': 'gzip' } });
    expect(status).toBe(200);
    expect(body.equals(bytes)).toBe(true);
    expect(headers).toMatchObject({ ...told, 'content-length': String(bytes.length) });
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('has the bytes of its headers, whatever they mean, and each that comes twice', async () => {
    const text = Buffer.from('é → 1').toString('latin1');
    answer = (_, response) => {
      response.writeHead(200, [
        'X-Name',
        text,
        'link',
        '<a>',
        'link',
        '<b>',
        'x-frame-options',
        'SAMEORIGIN',
      ]);
      response.end();
    };
    const { headers } = await ask('/v1/status');
    expect(headers).toMatchObject({ 'x-name': text, link: '<a>, <b>', 'x-content-type-options': 'nosniff' });
  });

  it('may come in pieces of no told length', async () => {
    answer = async (_, response) => {
      response.write('one ');
      await new Promise((resolve) => setTimeout(resolve, 20));
      response.end('two');
    };
    expect((await ask('/v1/status')).body.toString()).toBe('one two');
  });

  it.each([304, 400, 404, 500, 503])('may be a %i', async (code) => {
    const body = code === 304 ? '' : JSON.stringify({ error: 'why', code: 'internal' });
    answer = (_, response) => response.writeHead(code, { etag: '"x"' }).end(body);
    const given = await ask('/v1/blocks/17');
    expect([given.status, given.headers.etag, given.body.toString()]).toEqual([code, '"x"', body]);
  });

  it('answers HEAD without a body, and keeps the connection usable', async () => {
    answer = (_, response) => response.writeHead(200, { 'content-length': '5' }).end();
    const given = await ask('/v1/status', { method: 'HEAD' });
    expect([given.status, given.headers['content-length'], given.body.length]).toEqual([200, '5', 0]);
    answer = (_, response) => response.end('after');
    expect((await ask('/v1/status')).body.toString()).toBe('after');
  });
});

describe('an indexer that does not answer', () => {
  const unavailable = { error: 'the indexer does not answer', code: 'unavailable' };

  it.each([
    ['a redirect', 302, { location: 'http://evil.example/v1/status' }],
    ['a redirect for ever', 308, { location: '/v1/other' }],
    ['a page', 200, { 'content-type': 'text/html' }],
    ['a script', 200, { 'content-type': 'text/javascript' }],
  ])('is 503 when it answers with %s, which is not passed on', async (_, status, headers) => {
    answer = (_, response) => response.writeHead(status, headers).end('<script>alert(1)</script>');
    const given = await ask('/v1/status');
    expect([given.status, JSON.parse(given.body.toString())]).toEqual([503, unavailable]);
    expect(given.headers).not.toHaveProperty('location');
    expect(seen).toHaveLength(1);
  });

  it('cannot set cookies of the app, nor clear what browsers keep', async () => {
    const told = { 'set-cookie': 'a=b', 'clear-site-data': '"storage"', refresh: '0; url=//evil.example' };
    answer = (_, response) => response.writeHead(200, told).end('{}');
    const { status, headers } = await ask('/v1/status');
    expect(status).toBe(200);
    for (const name of Object.keys(told)) expect(headers).not.toHaveProperty(name);
  });

  it('is 503, with the security headers', async () => {
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const url = urlOf(free);
    free.close();
    await once(free, 'close');
    const { status, headers, body } = await ask('/v1/status', { at: await serve({ url }) });
    expect([status, JSON.parse(body.toString())]).toEqual([503, unavailable]);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'retry-after': '1',
      'x-content-type-options': 'nosniff',
    });
  });

  it('is 503 when it is silent, or hangs up', async () => {
    const at = await serve({ url: urlOf(indexer), idleMs: 50 });
    answer = () => undefined;
    expect(JSON.parse((await ask('/v1/status', { at })).body.toString())).toEqual(unavailable);
    answer = (_, response) => response.socket?.destroy();
    expect(JSON.parse((await ask('/v1/status', { at })).body.toString())).toEqual(unavailable);
  });

  it('is a broken answer when it stops in the middle', async () => {
    answer = (_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => response.socket?.destroy());
    };
    await expect(ask('/v1/status')).rejects.toThrow(/aborted|hang up|ECONNRESET/);
  });

  it('is 503 for who comes when too many wait, and free again after', async () => {
    const at = await serve({ url: urlOf(indexer), maxInFlight: 2 });
    const waiting: ServerResponse[] = [];
    answer = (_, response) => waiting.push(response);
    const first = [ask('/v1/a', { at }), ask('/v1/b', { at })];
    await expect.poll(() => waiting.length).toBe(2);
    expect((await ask('/v1/c', { at })).status).toBe(503);
    for (const response of waiting) response.end('late');
    expect((await Promise.all(first)).map(({ body }) => body.toString())).toEqual(['late', 'late']);
    answer = (_, response) => response.end('again');
    await expect.poll(async () => (await ask('/v1/d', { at })).body.toString()).toBe('again');
  });

  it('is there for others while one client holds all the places that it may have', async () => {
    const at = await serve({ url: urlOf(indexer), maxOfClient: 2 }, 1);
    const waiting: ServerResponse[] = [];
    answer = (_, response) => waiting.push(response);
    const first = [ask('/v1/a', { at }), ask('/v1/b', { at })];
    await expect.poll(() => waiting.length).toBe(2);
    expect((await ask('/v1/c', { at })).status).toBe(503);
    answer = (_, response) => response.end('another');
    expect((await ask('/v1/c', { at, headers: { 'x-forwarded-for': '192.0.2.7' } })).body.toString()).toBe(
      'another',
    );
    for (const response of waiting) response.end('late');
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await ask('/v1/d', { at })).status).toBe(200);
  });

  it('is asked once more over a new connection when it closed a kept one', async () => {
    const at = await serve({ url: urlOf(indexer) });
    answer = (_, response) => response.end('one');
    await ask('/v1/a', { at });
    let resets = 0;
    answer = (request, response) => {
      // the kept connection ends as its next request comes
      if (resets === 0 && request.url === '/v1/b') {
        resets += 1;
        request.socket.resetAndDestroy();
      } else response.end('two');
    };
    expect((await ask('/v1/b', { at })).body.toString()).toBe('two');
    expect(resets).toBe(1);
  });

  it('is let go when a client goes that has asked for more on the same connection, and so are their places', async () => {
    const at = await serve({ url: urlOf(indexer), maxOfClient: 3 });
    answer = () => undefined;
    const { hostname, port } = new URL(at);
    const client = connect(Number(port), hostname);
    client.write('GET /v1/slow HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(3));
    await expect.poll(() => seen.length).toBe(3);
    expect((await ask('/v1/status', { at })).status).toBe(503);
    client.destroy();
    answer = (_, response) => response.end('free');
    const three = () => Promise.all(['a', 'b', 'c'].map((one) => ask(`/v1/${one}`, { at })));
    await expect.poll(async () => (await three()).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it.each(['keep-alive', 'close'])(
    'holds no place for who does not read, and is not harmed when it ends meanwhile (%s)',
    async (connection) => {
      const at = await serve({ url: urlOf(indexer), maxOfClient: 1, idleMs: 300 });
      let sent: ServerResponse | undefined;
      answer = (_, response) => {
        sent = response;
        response.writeHead(200, { connection, 'content-length': String(64e6) });
        response.write(Buffer.alloc(32e6));
      };
      const { hostname, port } = new URL(at);
      const client = connect(Number(port), hostname);
      client.on('error', () => undefined);
      client.write('GET /v1/large HTTP/1.1\r\nhost: x\r\n\r\n');
      client.pause();
      await expect.poll(() => sent?.writableNeedDrain).toBe(true);
      expect((await ask('/v1/status', { at })).status).toBe(503);
      if (connection === 'close') sent?.socket?.resetAndDestroy();
      answer = (_, response) => response.end('free');
      await expect.poll(async () => (await ask('/v1/status', { at })).status).toBe(200);
      client.destroy();
    },
  );

  it('holds no place for who does not read what has come whole', async () => {
    const at = await serve({ url: urlOf(indexer), maxOfClient: 1, idleMs: 300 });
    answer = (_, response) => response.end(Buffer.alloc(8e6));
    const { hostname, port } = new URL(at);
    const client = connect(Number(port), hostname);
    client.on('error', () => undefined);
    client.write('GET /v1/large HTTP/1.1\r\nhost: x\r\n\r\n');
    client.pause();
    await expect.poll(() => seen.length).toBe(1);
    answer = (_, response) => response.end('free');
    await expect.poll(async () => (await ask('/v1/status', { at })).status).toBe(200);
    client.destroy();
  });

  it('is ended, and its place is free, when it takes too long though bytes never stop', async () => {
    const at = await serve({ url: urlOf(indexer), maxOfClient: 1, deadlineMs: 300 });
    let gone = false;
    answer = (_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on('drain', more).once('close', () => {
        gone = true;
      });
      more();
    };
    await expect(ask('/v1/endless', { at })).rejects.toThrow(/aborted/);
    await expect.poll(() => gone).toBe(true);
    answer = (_, response) => response.end('free');
    expect((await ask('/v1/status', { at })).body.toString()).toBe('free');
  });

  it('is 503 when its head does not come in time though bytes never stop', async () => {
    const at = await serve({ url: urlOf(indexer), deadlineMs: 300 });
    let gone = false;
    answer = ({ socket }) => {
      const dripping = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 10);
      socket.once('close', () => {
        clearInterval(dripping);
        gone = true;
      });
    };
    expect((await ask('/v1/status', { at })).status).toBe(503);
    await expect.poll(() => gone).toBe(true);
  });

  it('arrives whole at a slow reader', async () => {
    const bytes = Buffer.from(Array.from({ length: 6_000_000 }, (_, i) => (i * 31) % 251));
    answer = (_, response) => response.end(bytes);
    const { hostname, port } = new URL(app);
    const asking = request({ hostname, port, path: '/v1/large' });
    asking.end();
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response) {
      chunks.push(chunk as Buffer);
      if (chunks.length % 8 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
  });

  it('is let go when the client goes', async () => {
    const at = await serve({ url: urlOf(indexer) });
    let gone = false;
    answer = (request) => {
      request.socket.once('close', () => {
        gone = true;
      });
      client.destroy();
    };
    const { hostname, port } = new URL(at);
    const client = connect(Number(port), hostname);
    client.write('GET /v1/status HTTP/1.1\r\nhost: x\r\n\r\n');
    await expect.poll(() => gone).toBe(true);
  });
});
