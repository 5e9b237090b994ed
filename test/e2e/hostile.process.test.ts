import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { indexInto } from '../support/indexing.ts';
import { openTestStores } from '../support/stores.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { checkAnswer } from './support/checked.ts';

/** `strata serve` as a process of its own, with hostile clients at its socket: it answers the next one as before. */

const ROOT = join(import.meta.dirname, '..', '..');
const HEAD = 60;
const HOST = '127.0.0.1';
/** uWebSockets.js closes a connection that has sent no whole request for so long. */
const IDLE_MS = 10_000;
const MOST_GROWTH_MB = 200;

let folder: { readonly path: string; remove(): Promise<void> };
let server: ChildProcess;
let output = '';
let port = 0;
const sockets: Socket[] = [];

beforeAll(async () => {
  folder = await temporaryFolder();
  const stores = await openTestStores(folder.path);
  await indexInto(stores, { toHeight: HEAD });
  await stores.close();
  const command = ['dist/src/strata.cjs', 'serve', '--data', folder.path, '--listen', `${HOST}:0`];
  server = spawn(process.execPath, command, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [server.stdout, server.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
  }
  while (port === 0) {
    if (server.exitCode !== null) throw new Error(output);
    port = Number(/http:\/\/127\.0\.0\.1:(\d+)/.exec(output)?.[1] ?? 0);
    await sleep(10);
  }
}, 120_000);

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

afterAll(async () => {
  if (server.exitCode === null) {
    server.kill('SIGKILL');
    await once(server, 'exit');
  }
  await folder.remove();
});

interface Conversation {
  readonly socket: Socket;
  received: string;
  closed: boolean;
}

async function open(): Promise<Conversation> {
  const socket = connect(port, HOST);
  sockets.push(socket);
  const conversation: Conversation = { socket, received: '', closed: false };
  socket.on('data', (chunk) => {
    conversation.received += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    conversation.closed = true;
  });
  await once(socket, 'connect');
  return conversation;
}

async function until(condition: () => boolean, waitMs: number): Promise<boolean> {
  const endMs = Date.now() + waitMs;
  while (!condition() && Date.now() < endMs) await sleep(2);
  return condition();
}

/** Sends bytes, and waits for an answer, the server's end of the connection, or `waitMs`. */
async function say(bytes: string | Buffer, waitMs = 250): Promise<Conversation> {
  const conversation = await open();
  conversation.socket.write(bytes);
  await until(() => conversation.closed || /\r\n\r\n.*[}>]$/s.test(conversation.received), waitMs);
  conversation.socket.destroy();
  return conversation;
}

async function expectAlive(): Promise<void> {
  expect([server.exitCode, server.signalCode], output.slice(-2000)).toEqual([null, null]);
  const answer = await fetch(`http://${HOST}:${port}/v1/blocks/${HEAD}`);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ block: { height: HEAD } });
}

/** Every answer in the bytes received, each with a status of the contract and the body of its kind. */
function expectCoded(target: string, received: string): number {
  let rest = Buffer.from(received, 'latin1');
  let count = 0;
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n');
    const [line = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const headers = lines.map(
      (text) => [text.slice(0, text.indexOf(':')).toLowerCase(), text.slice(text.indexOf(':') + 2)] as const,
    );
    const length = Number(new Map(headers).get('content-length') ?? 0);
    const status = Number(line.split(' ')[1]) as 200;
    const body = rest.subarray(end + 4, end + 4 + length);
    checkAnswer(target, { status, headers, body });
    rest = rest.subarray(end + 4 + length);
    count += 1;
  }
  return count;
}

const request = (target: string | Buffer, headers = '', method = 'GET') =>
  Buffer.concat([
    Buffer.from(`${method} `),
    Buffer.from(target),
    Buffer.from(` HTTP/1.1\r\nHost: x\r\n${headers}\r\n`),
  ]);

describe('what reaches the API is answered with a code', () => {
  test.each([
    ['bad percent escapes', '/v1/txs/%zz', 400],
    ['a broken UTF-8 escape', '/v1/lookup/%ff%fe', 400],
    ['an overlong escape', '/v1/blocks/%c0%af', 400],
    ['an escaped NUL', '/v1/txs/%00', 400],
    ['an escaped NUL in a look-up', '/v1/lookup/%00', 404],
    ['a NUL behind a height', '/v1/blocks/1%00', 400],
    ['a path upwards', '/v1/../../etc/passwd', 404],
    ['an escaped path upwards', '/v1/%2e%2e/%2e%2e/etc/passwd', 404],
    ['backslashes', '/v1\\..\\..\\etc', 404],
    ['quotes', "/v1/txs?method=/a'%20OR%201=1", 400],
    ['SQL in a look-up', "/v1/lookup/';DROP%20TABLE%20txs;--", 404],
    ['a path of 3,500 digits', `/v1/lookup/${'9'.repeat(3500)}`, 200],
    ['a path of 8,100 digits', `/v1/lookup/${'9'.repeat(8100)}`, 200],
    ['a target above 8,192 characters', `/v1/lookup/${'9'.repeat(8200)}`, 400],
    ['a target of 15,000 characters', `/${'a'.repeat(15_000)}`, 400],
    ['a height of 3,500 digits', `/v1/blocks/${'9'.repeat(3500)}`, 400],
    ['a thousand parameters', `/v1/blocks?${'a=b&'.repeat(900)}limit=1`, 200],
    ['a thousand cursors', `/v1/txs?${'cursor=a&'.repeat(400)}`, 400],
    ['a thousand slashes', '/'.repeat(3000), 404],
  ])('%s', async (_, target, status) => {
    const { received } = await say(request(target), 5000);
    expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(expectCoded(target, received)).toBe(1);
    await expectAlive();
  });

  test('bytes above 127 in the path', async () => {
    const target = Buffer.from([...Buffer.from('/v1/lookup/'), 0xff, 0xfe, 0x80, 0xc3, 0x28]);
    const { received, closed } = await say(request(target));
    if (!closed) expect(received).toMatch(/^HTTP\/1\.1 (400|404) /);
    await expectAlive();
  });

  test('any bytes as a path and query', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 60 }), async (bytes) => {
        const { received } = await say(request(Buffer.concat([Buffer.from('/v1/'), bytes])), 60);
        if (received !== '') expect(received).toMatch(/^HTTP\/1\.1 (200|4\d\d|505) /);
      }),
      { numRuns: 60 },
    );
    await expectAlive();
  });
});

describe('what is no request is answered or cut off', () => {
  test.each<[string, string | Buffer]>([
    ['a path of 10 kB', request(`/v1/lookup/${'a'.repeat(10_000)}`)],
    ['a path of 1 MB that never ends', `GET /${'a'.repeat(1_000_000)}`],
    ['a header of 100 kB', request('/v1/status', `X: ${'a'.repeat(100_000)}\r\n`)],
    ['ten thousand headers', request('/v1/status', 'a: b\r\n'.repeat(10_000))],
    ['a header without a colon', request('/v1/status', 'nonsense\r\n')],
    ['a header of NULs', request('/v1/status', 'a\0b: \0\r\n')],
    ['a length of 10^18', request('/v1/status', `Content-Length: 1${'0'.repeat(18)}\r\n`, 'POST')],
    ['a negative length', request('/v1/status', 'Content-Length: -1\r\n', 'POST')],
    [
      'a length and chunks',
      request('/v1/status', 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n', 'POST'),
    ],
    [
      'endless chunks',
      `${request('/v1/status', 'Transfer-Encoding: chunked\r\n', 'POST')}ffffffffffffffff\r\na`,
    ],
    ['TLS', Buffer.from('160301020001000001fc0303', 'hex')],
    ['zeros', Buffer.alloc(100_000)],
  ])('%s', async (_, bytes) => {
    const { received } = await say(bytes);
    if (received !== '') expect(received).toMatch(/^HTTP\/1\.1 (200|4\d\d|505) /);
    await expectAlive();
  });

  test('pipelined requests with garbage behind them', async () => {
    const good = request('/v1/status').toString('latin1');
    for (const garbage of [
      '\0\0\0\0\r\n\r\n',
      'GET\r\n\r\n',
      '\xff'.repeat(5000),
      '{"json":true}\r\n\r\n',
      `GET /${'a'.repeat(9000)}`,
    ]) {
      const { received, closed } = await say(Buffer.from(good + good + garbage + good, 'latin1'));
      // what came with the garbage may be dropped with it
      if (!closed || received !== '') expect(received).toMatch(/^HTTP\/1\.1 (200|4\d\d|505) /);
      await expectAlive();
    }
  });

  test('a hundred pipelined requests are answered in order until the server cuts them off', async () => {
    const lines = Array.from({ length: 100 }, (_, n) => request(`/v1/lookup/word${n}`));
    const { received } = await say(Buffer.concat(lines), 1000);
    expect(received).toMatch(/^HTTP\/1\.1 404 Not Found/);
    expect(expectCoded('/v1/lookup/word', received)).toBeGreaterThan(0);
    await expectAlive();
  });

  test('clients that leave while their answer is made', async () => {
    for (let n = 0; n < 200; n++) {
      const { socket } = await open();
      socket.write(request(`/v1/txs?limit=${1 + (n % 100)}`));
      if (n % 2 === 0) await sleep(1);
      socket.destroy();
    }
    await expectAlive();
  });
});

describe('many clients', () => {
  test('a thousand connections with half a request each, which are closed in the end', async () => {
    const before = memoryMb();
    const startMs = Date.now();
    const half = await Promise.all(
      Array.from({ length: 1000 }, async (_, n) => {
        const conversation = await open();
        conversation.socket.write(n % 2 === 0 ? 'GET /v1/status HTTP/1.1\r\nHost' : 'G');
        return conversation;
      }),
    );
    await expectAlive();
    expect(await until(() => half.every(({ closed }) => closed), 3 * IDLE_MS)).toBe(true);
    expect(Date.now() - startMs).toBeLessThan(3 * IDLE_MS);
    await expectAlive();
    expect(memoryMb() - before).toBeLessThan(MOST_GROWTH_MB);
  });

  test('two thousand requests at once are all answered, none with a code of its own', async () => {
    const targets = Array.from({ length: 2000 }, (_, n) => `/v1/blocks/${n % (HEAD + 2)}?n=${n}`);
    const statuses = new Map<number, number>();
    await Promise.all(
      targets.map(async (target) => {
        const answer = await fetch(`http://${HOST}:${port}${target}`);
        const body = Buffer.from(await answer.arrayBuffer());
        checkAnswer(target, { status: answer.status as 200, headers: [...answer.headers], body });
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      }),
    );
    for (const status of statuses.keys()) expect([200, 404, 503]).toContain(status);
    expect(statuses.get(200) ?? 0).toBeGreaterThan(1000);
    await expectAlive();
  });
});

test('afterwards it ends as it is asked to', async () => {
  server.kill('SIGTERM');
  await once(server, 'exit');
  expect([server.exitCode, server.signalCode], output.slice(-2000)).toEqual([0, null]);
}, 20_000);

/** Resident memory of the server. */
function memoryMb(): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(server.pid)])) / 1024;
}
