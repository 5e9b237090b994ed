import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { connectIndexer } from 'strata-testnet/indexer';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectNode } from '../../src/client/node.ts';
import { type HttpAnswer, readRetryAfter } from '../../src/http/body.ts';
import { connectHttp } from '../../src/http/client.ts';
import { HttpFailure } from '../../src/http/failure.ts';

/** A service that turns against who asks it: what it may cost, where it may lead, and what is shown of its address. */

let service: Server;
let seen: IncomingMessage[] = [];
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let url: string;

beforeAll(async () => {
  service = createServer((request, response) => {
    seen.push(request);
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
});
beforeEach(() => {
  seen = [];
});
afterAll(() => {
  service.closeAllConnections();
  service.close();
});

const MIB = 1 << 20;
const STATUS = JSON.stringify({
  result: {
    node_info: { network: 'test' },
    sync_info: { latest_block_height: '7', latest_block_time: '2026-01-02T03:04:05Z' },
  },
});
const clients = [
  ['the indexer', (at: string, ms = 5_000) => connectIndexer(at, { requestMs: ms }).get('/v1/status')],
  ['a node', (at: string, ms = 5_000) => connectNode(at, { requestMs: ms }).status()],
] as const;

/** All that an error says, what caused it included. */
async function refusalOf(asked: Promise<unknown>): Promise<string> {
  let text = '';
  for (let error: unknown = await asked.catch((thrown: unknown) => thrown); error instanceof Error; ) {
    text += `${error.message}\n`;
    error = error.cause;
  }
  return text;
}

describe.each(clients)('%s', (_name, ask) => {
  it.each([301, 302, 307, 308])('that redirects with %i is not followed', async (status) => {
    answer = (_, response) => response.writeHead(status, { location: `${url}/elsewhere` }).end(STATUS);
    expect(await refusalOf(ask(url))).toContain('redirect');
    expect(seen).toHaveLength(1);
  });

  it('that packs 64 MiB into 64 kB is not unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * MIB, ' '));
    answer = (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    const before = process.memoryUsage().arrayBuffers;
    expect(await refusalOf(ask(url))).toContain('encoding that was not asked for');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * MIB);
    expect(seen[0]?.headers['accept-encoding']).toBe('identity');
  });

  it('that announces more than is taken is left before its body', async () => {
    answer = (_, response) => response.writeHead(200, { 'content-length': 1024 * MIB }).write('{');
    expect(await refusalOf(ask(url))).toContain('answers with more than');
  });

  it('that drips is left at the deadline, however often it drips', async () => {
    answer = (_, response) => {
      const drip = setInterval(() => response.write(' '), 5);
      response.once('close', () => clearInterval(drip));
    };
    expect(await refusalOf(ask(url, 100))).toContain('did not finish its answer');
  });

  it('is given the user and password of its URL, and no error shows them', async () => {
    answer = (_, response) => response.end(STATUS);
    const at = url.replace('//', '//reader:p%40ss-w%2Ford@');
    await ask(at);
    const basic = Buffer.from('reader:p@ss-w/ord').toString('base64');
    expect(seen[0]?.headers.authorization).toBe(`Basic ${basic}`);
    answer = (_, response) => response.writeHead(500).end('<html>');
    const told = await refusalOf(ask(at));
    expect(told).not.toBe('');
    for (const secret of ['p@ss', 'p%40ss', 'reader', basic]) expect(told).not.toContain(secret);
  });
});

describe('a service', () => {
  const limits = { silenceMs: 2_000, deadlineMs: 2_000, maxBodyBytes: MIB };
  const options = { connections: 1, connectTimeoutMs: 2_000, maxInFlight: 2 };

  it('that answers without end is cut off at the bound', async () => {
    let written = 0;
    answer = (_, response) => {
      const piece = Buffer.alloc(64 * 1024, 'x');
      const write = (): void => {
        if (response.destroyed) return;
        written += piece.length;
        response.write(piece, write);
      };
      write();
    };
    const failed = connectHttp(url, options).ask({ path: '/' }, limits);
    await expect(failed).rejects.toMatchObject({ kind: 'too_large' });
    expect(written).toBeLessThan(32 * MIB);
  });

  describe('that may pack', () => {
    const packing = { ...options, unpacks: true };
    const text = 'a'.repeat(5_000);
    const packed = Buffer.from(text);
    const ask = (): Promise<HttpAnswer> => connectHttp(url, packing).ask({ path: '/' }, limits);

    it.each([
      ['gzip', gzipSync(packed)],
      ['deflate', deflateSync(packed)],
      ['deflate', deflateRawSync(packed)],
      ['br', brotliCompressSync(packed)],
      ['identity', packed],
    ] as const)('is unpacked from %s', async (coding, body) => {
      answer = (_, response) => response.writeHead(200, { 'content-encoding': coding }).end(body);
      const { bytes } = await ask();
      expect(Buffer.from(bytes).toString()).toBe(text);
      expect(bytes.byteLength).toBe(bytes.buffer.byteLength);
      expect(seen[0]?.headers['accept-encoding']).toBe('gzip, deflate, br');
    });

    it('is unpacked up to the bound of a body and no further', async () => {
      const bomb = gzipSync(Buffer.alloc(64 * MIB, ' '));
      answer = (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
      const before = process.memoryUsage().arrayBuffers;
      await expect(ask()).rejects.toMatchObject({ kind: 'too_large' });
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * MIB);
    });

    it.each([
      ['gzip', gzipSync(packed).subarray(0, 20)],
      ['br', packed],
      ['zstd', packed],
      ['gzip, br', packed],
    ] as const)('is refused where %s cannot be unpacked', async (coding, body) => {
      answer = (_, response) => response.writeHead(200, { 'content-encoding': coding }).end(body);
      await expect(ask()).rejects.toMatchObject({ kind: 'encoded' });
    });
  });

  it('is asked with its query and header fields, by POST and by GET', async () => {
    answer = (_, response) => response.end('{}');
    const keyed = connectHttp(`${url}/base/?key=a`, { ...options, headers: { 'x-api-key': 'b' } });
    await keyed.ask({ body: '{}' }, limits);
    await keyed.ask({ path: '/block?height=5' }, limits);
    await keyed.ask({ path: '/status' }, limits);
    expect(seen.map(({ url: at, headers }) => [at, headers['x-api-key']])).toEqual([
      ['/base/?key=a', 'b'],
      ['/base/block?height=5&key=a', 'b'],
      ['/base/status?key=a', 'b'],
    ]);
  });

  it('that is slow has no queue without an end before it', async () => {
    answer = () => undefined;
    const slow = connectHttp(url, options);
    const stop = new AbortController();
    const asked = [1, 2].map(() => slow.ask({ path: '/' }, { ...limits, signal: stop.signal }));
    await expect(slow.ask({ path: '/' }, limits)).rejects.toMatchObject({ kind: 'busy' });
    stop.abort();
    for (const one of asked) await expect(one).rejects.toBeInstanceOf(HttpFailure);
    answer = (_, response) => response.end('{}');
    expect((await slow.ask({ path: '/' }, limits)).status).toBe(200);
  });
});

it('a node is given the header fields that it wants, and a CA file that is none is refused', async () => {
  answer = (_, response) => response.end(STATUS);
  await connectNode(url, { headers: { 'x-api-key': 'b' } }).status();
  expect(seen[0]?.headers['x-api-key']).toBe('b');
  for (const [caPath, reason] of [
    ['/no/such.pem', 'cannot be read: ENOENT'],
    [new URL(import.meta.url).pathname, 'holds no PEM certificate'],
  ] as const) {
    expect(() => connectNode(url, { caPath })).toThrow(expect.objectContaining({ code: 'config_invalid' }));
    expect(() => connectNode(url, { caPath })).toThrow(reason);
  }
});

it('an address that is no URL is refused without being repeated', () => {
  for (const address of ['secret-word', 'ftp://me:secret-word@host', 'http://me:%zzsecret-word@host'])
    expect(() => connectNode(address)).toThrow(/^the address of the node must be an http or https URL$/);
});

it('Retry-After is read as seconds or a date, and nothing else', () => {
  const nowMs = Date.parse('2026-01-02T03:04:05Z');
  expect(
    ['7', '0', 'Fri, 02 Jan 2026 03:04:15 GMT', 'Fri, 02 Jan 2026 03:04:00 GMT', '-5', 'soon', undefined].map(
      (header) => readRetryAfter(header, nowMs),
    ),
  ).toEqual([7_000, 0, 10_000, undefined, undefined, undefined, undefined]);
});
