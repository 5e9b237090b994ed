import { getEventListeners } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StrataError } from 'strata-kit/errors';
import type { RpcAnswer, RpcRequest } from 'strata-kit/rpc/calls';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Capture, openCapture } from '../../src/chain/capture/reader.ts';
import { splitRange } from '../../src/chain/envelope.ts';
import { type ReplayOptions, startReplay } from '../../src/chain/replay/server.ts';
import { createRpcSource, type RpcSourceOptions } from '../../src/chain/rpc/source.ts';
import { FIXTURE, recorded } from './fixture.ts';

let capture: Capture;
const cleanups: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  capture = await openCapture(FIXTURE);
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** A node that behaves, but for what `respond` changes. */
async function node(respond?: ReplayOptions['respond']): Promise<{ url: string; asked: () => number }> {
  let asked = 0;
  const replay = await startReplay({
    capture,
    host: '127.0.0.1',
    port: 0,
    respond: (request, answer) => {
      if (isForBlocks(request)) asked++;
      return respond?.(request, answer) ?? answer;
    },
  });
  cleanups.push(replay.close);
  return { url: replay.url, asked: () => asked };
}

/** A node of which only the answers to block requests differ. */
const blockNode = (change: (answer: RpcAnswer, request: RpcRequest) => RpcAnswer | Promise<RpcAnswer>) =>
  node((request, answer) => (isForBlocks(request) ? change(answer, request) : answer));

function isForBlocks({ body, url }: RpcRequest): boolean {
  return body?.includes('"method":"block"') === true || url.startsWith('/block?');
}

function source(urls: readonly string[], options: Partial<RpcSourceOptions> = {}) {
  const made = createRpcSource({ urls, timeoutMs: 1_000, attemptsPerNode: 3, maxTotalMs: 4_000, ...options });
  cleanups.push(made.close);
  return made;
}

async function failure(promise: Promise<unknown>): Promise<StrataError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof StrataError) return error;
  throw new Error(`no coded error, but ${String(error)}`);
}

const text = (body: string, status = 200): RpcAnswer => ({
  status,
  contentType: 'application/json',
  parts: [Buffer.from(body)],
});
const rpcError = (data: string) =>
  `{"jsonrpc":"2.0","id":0,"error":{"code":-32603,"message":"Internal error","data":${JSON.stringify(data)}}}`;

/** The answer to a batch in which every call failed alike. */
function allRefused(request: RpcRequest, data: string): RpcAnswer {
  const calls = JSON.parse(request.body ?? '[]') as { id: number }[];
  return text(`[${calls.map(({ id }) => rpcError(data).replace('"id":0', `"id":${id}`)).join(',')}]`);
}

function expectBlocks(blocks: ReturnType<typeof splitRange>, fromHeight: number, toHeight: number): void {
  expect(blocks.map((block) => block.height)).toEqual(
    Array.from({ length: toHeight - fromHeight + 1 }, (_, i) => fromHeight + i),
  );
  for (const { height, block, results } of blocks) {
    expect(block).toBe(recorded(height).block.toString('latin1'));
    expect(results.equals(recorded(height).results)).toBe(true);
  }
}

describe('an RPC source of one node', () => {
  it('tells the head and hands on the recorded bytes of a range', async () => {
    const { url } = await node();
    const rpc = source([url]);
    expect(await rpc.head()).toEqual({
      chainId: '9001',
      earliestHeight: 1,
      latestHeight: 501,
      appVersion: '0',
      softwareVersion: 'v0.6.0',
    });
    const range = await rpc.fetch(52, 65);
    expect(range.bodies.map(({ fromHeight, toHeight }) => [fromHeight, toHeight])).toEqual([
      [52, 56],
      [57, 61],
      [62, 65],
    ]);
    expect(range.byteLength).toBe(range.bodies.reduce((sum, body) => sum + body.bytes.length, 0));
    expectBlocks(splitRange(range), 52, 65);
    // each body can be transferred to a worker
    expect(range.bodies.every(({ bytes }) => bytes.byteLength === bytes.buffer.byteLength)).toBe(true);
  });

  it('leaves nothing listening to the signal of the caller, and warns of no leak', async () => {
    const warnings: string[] = [];
    const onWarning = (warning: Error) => warnings.push(warning.message);
    process.on('warning', onWarning);
    const { signal } = new AbortController();
    const rpc = source([(await node()).url]);
    await Promise.all([1, 101, 201].map((from) => rpc.fetch(from, from + 99, signal)));
    await Promise.all(Array.from({ length: 20 }, () => rpc.head(signal)));
    await rpc.waitForHeightAbove(501, 20, signal);
    await new Promise(setImmediate);
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('answers queries to the application, those it refuses too', async () => {
    const rpc = source([(await node()).url]);
    const prefix = await rpc.abciQuery('/cosmos.auth.v1beta1.Query/Bech32Prefix', new Uint8Array());
    expect(prefix.code).toBe(0);
    expect(Buffer.from(prefix.value).toString()).toContain('cosmos');
    const descriptors = await rpc.abciQuery(
      '/cosmos.reflection.v1.ReflectionService/FileDescriptors',
      new Uint8Array(),
    );
    expect(Buffer.from(descriptors.value).equals(capture.descriptors as Uint8Array)).toBe(true);
    expect(await rpc.abciQuery('/no.such.Query/Thing', new Uint8Array())).toMatchObject({
      code: 6,
      log: 'unknown query path: unknown request',
    });
  });

  it('asks in smaller batches when the node takes fewer calls, and singly when it takes none', async () => {
    for (const limit of [4, 1]) {
      const { url } = await node((request, answer) => {
        const calls = JSON.parse(request.body ?? '{}') as unknown;
        if (!Array.isArray(calls) || calls.length <= limit) return answer;
        const reason = `batch request exceeds maximum (${limit}) allowed number of requests`;
        return text(
          `{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request","data":"${reason}"}}`,
        );
      });
      expectBlocks(splitRange(await source([url]).fetch(60, 66)), 60, 66);
    }
  });

  it.each<[string, (times: number, answer: RpcAnswer) => RpcAnswer]>([
    ['HTTP 500', () => text('oops', 500)],
    ['HTTP 502 with a page', () => ({ ...text('<html>Bad Gateway</html>', 502), contentType: 'text/html' })],
    ['HTTP 429', () => text('Too Many Requests', 429)],
    ['a page with status 200', () => text('<html>maintenance</html>')],
    ['an empty body', () => text('')],
    ['half an answer', (_, answer) => ({ ...answer, parts: answer.parts.slice(0, 20) })],
    [
      'a dropped connection',
      () => {
        throw new Error('dropped on purpose');
      },
    ],
  ])('tries again after %s', async (_, change) => {
    let times = 0;
    const { url, asked } = await blockNode((answer) => (++times <= 1 ? change(times, answer) : answer));
    expectBlocks(splitRange(await source([url]).fetch(60, 62)), 60, 62);
    expect(asked()).toBe(2);
  });

  it('gives up after its attempts and names what the node said', async () => {
    const { url, asked } = await blockNode(() => text('out of memory', 503));
    const error = await failure(source([url]).fetch(60, 62));
    expect(error).toMatchObject({ code: 'sources_exhausted', height: 60 });
    expect(error.message).toContain(`${url}: the node answers HTTP 503: out of memory`);
    // the third time also in smaller batches, one by one and by GET
    expect(asked()).toBe(7);
  });

  it('waits for results that lag the block', async () => {
    let times = 0;
    const { url } = await blockNode((answer, request) =>
      ++times <= 2 ? allRefused(request, 'could not find results for height #501') : answer,
    );
    expectBlocks(splitRange(await source([url]).fetch(501, 501)), 501, 501);
    expect(times).toBe(3);
  });

  it('says that a height is above every head', async () => {
    const error = await failure(source([(await node()).url]).fetch(500, 503));
    expect(error).toMatchObject({ code: 'node_lagging', retryable: true });
    expect(error.message).toContain('must be less than or equal to the current blockchain height 501');
  });

  it('says which height to use when the node has pruned', async () => {
    const { url, asked } = await blockNode((_, request) =>
      allRefused(request, 'height 60 is not available, lowest height is 400'),
    );
    expect(await failure(source([url]).fetch(60, 62))).toMatchObject({
      code: 'height_pruned',
      height: 60,
      lowestHeight: 400,
    });
    expect(asked()).toBe(1);
  });

  it('ends a request at its deadline: silent before the headers, or within the body', async () => {
    const silent = await blockNode(() => new Promise(() => {}));
    const startedMs = Date.now();
    const error = await failure(source([silent.url], { timeoutMs: 150, attemptsPerNode: 2 }).fetch(60, 62));
    expect(error.message).toContain('did not answer within 150 ms');
    expect(Date.now() - startedMs).toBeLessThan(2_000);

    const front = await halfwayServer(silent.url, 'stall');
    const stalled = await failure(
      source([front], { timeoutMs: 150, attemptsPerNode: 1, chainId: '9001' }).head(),
    );
    expect(stalled).toMatchObject({ code: 'node_timeout' });
  });

  it('takes a body that is cut short for a broken connection, announced length or not', async () => {
    const good = await node();
    for (const how of ['cut', 'cut chunked'] as const) {
      const front = await halfwayServer(good.url, how);
      const error = await failure(source([front], { attemptsPerNode: 1 }).head());
      expect(error.code).toBe('node_unreachable');
    }
  });

  it('refuses a body beyond its limit', async () => {
    const error = await failure(source([(await node()).url], { maxBodyBytes: 10_000 }).fetch(60, 64));
    expect(error).toMatchObject({ code: 'sources_exhausted' });
    expect(error.message).toContain('answers with more than 10000 bytes');
  });

  it('shares the bound of a body among all requests that may be in flight', async () => {
    const nodes = await Promise.all(Array.from({ length: 4 }, () => node()));
    const urls = nodes.map(({ url }) => url);
    // 5 heights have some 60 kB
    const limits = { maxBodyBytes: 200_000 };
    const [alone, together] = [
      await source(urls.slice(0, 1), limits).fetch(60, 64),
      await source(urls, limits).fetch(60, 64),
    ];
    expect(alone.bodies).toHaveLength(1);
    expect(together.bodies.length).toBeGreaterThan(1);
    expectBlocks(splitRange(together), 60, 64);
  });

  it('takes a body that is slow as long as it goes on', async () => {
    const front = await halfwayServer((await node()).url, 'drip');
    expect(await source([front], { timeoutMs: 250, attemptsPerNode: 1 }).head()).toMatchObject({
      latestHeight: 501,
    });
  });

  it.each([
    ['large', (answer: RpcAnswer) => ({ ...answer, parts: [...answer.parts, Buffer.alloc(3e6, ' ')] })],
    [
      'slow',
      async (answer: RpcAnswer) => {
        await new Promise((resolve) => setTimeout(resolve, 900));
        return answer;
      },
    ],
  ] as const)('asks for fewer heights when answers are too %s', async (_how, burden) => {
    const calls = (request: RpcRequest) => (JSON.parse(request.body ?? '[]') as unknown[]).length;
    const heavy = await blockNode((answer, request) => (calls(request) > 2 ? burden(answer) : answer));
    const limits = { timeoutMs: 300, maxBodyBytes: 3e6, maxConcurrentRequests: 1 };
    const rpc = source([heavy.url], limits);
    const range = await rpc.fetch(52, 61);
    expectBlocks(splitRange(range), 52, 61);
    expect(range.bodies).toHaveLength(10);
    // 5, 2, then 1 height a request
    expect(heavy.asked()).toBe(12);
  });

  it('stops at the signal, while it waits for a node and while it pauses', async () => {
    for (const url of [(await blockNode(() => new Promise(() => {}))).url, 'http://127.0.0.1:9']) {
      const stop = new AbortController();
      setTimeout(() => stop.abort(), 50);
      const startedMs = Date.now();
      const rpc = source([url], { timeoutMs: 5_000, maxTotalMs: 60_000, attemptsPerNode: 9 });
      expect(await failure(rpc.fetch(1, 40, stop.signal))).toMatchObject({ code: 'aborted' });
      expect(Date.now() - startedMs).toBeLessThan(1_000);
    }
  });

  it('says that no node is reached', async () => {
    const lines: string[] = [];
    const note = (_facts: object, line: string) => void lines.push(line);
    const log = { info: note, warn: note };
    const error = await failure(source(['http://127.0.0.1:9'], { attemptsPerNode: 2, log }).head());
    expect(error.code).toBe('node_unreachable');
    expect(error.message).toBe(
      'status: no node answered in 2 attempts: http://127.0.0.1:9 cannot be reached: connect ECONNREFUSED 127.0.0.1:9',
    );
    expect(lines).toEqual(['a node failed']);
  });

  it('says within seconds that a node was never reached, and waits longer for one that was', async () => {
    const startedMs = Date.now();
    const rpc = createRpcSource({ urls: ['http://127.0.0.1:1'] });
    cleanups.push(rpc.close);
    const error = await failure(rpc.head());
    expect(error.code).toBe('node_unreachable');
    expect(error.message).toContain('ECONNREFUSED');
    expect(Date.now() - startedMs).toBeLessThan(4_000);

    let isDown = false;
    const known = await node((_request, answer) => (isDown ? text('', 503) : answer));
    const patient = source([known.url], { attemptsPerNode: 10, maxTotalMs: 30_000 });
    await patient.head();
    isDown = true;
    setTimeout(() => {
      isDown = false;
    }, 3_000);
    expect(await patient.head()).toMatchObject({ latestHeight: 501 });
  });

  it('keeps secrets of its URL out of names and errors, and sends them to the node', async () => {
    const seen: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers.authorization, request.url);
      response.writeHead(500).end('no');
    });
    const url = await listen(server);
    const rpc = source([`${url.replace('http://', 'http://me:hunter2@')}/rpc?key=verysecret`], {
      attemptsPerNode: 1,
    });
    const error = await failure(rpc.head());
    expect(seen.slice(0, 2)).toEqual([
      `Basic ${Buffer.from('me:hunter2').toString('base64')}`,
      '/rpc?key=verysecret',
    ]);
    expect(`${error.message} ${rpc.name}`).not.toMatch(/hunter2|verysecret/);
  });
});

describe('an RPC source of several nodes', () => {
  it('spreads ranges over healthy nodes', async () => {
    const nodes = [await node(), await node(), await node()];
    const rpc = source(nodes.map(({ url }) => url));
    for (let from = 1; from <= 60; from += 10)
      expectBlocks(splitRange(await rpc.fetch(from, from + 9)), from, from + 9);
    expect(nodes.map(({ asked }) => asked())).toEqual([4, 4, 4]);
  });

  it('goes on with the others when nodes fail, and leaves the failed alone for a while', async () => {
    const good = await node();
    const broken = await blockNode(() => text('oops', 500));
    const rpc = source(['http://127.0.0.1:9', broken.url, good.url]);
    for (let from = 1; from <= 50; from += 5)
      expectBlocks(splitRange(await rpc.fetch(from, from + 4)), from, from + 4);
    expect(broken.asked()).toBeLessThan(4);
  });

  it('tells an observer each exchange and each failure with its node', async () => {
    const good = await node();
    const broken = await blockNode(() => text('oops', 500));
    const errors: string[] = [];
    const requests = new Map<string, number>();
    const observer = {
      onError: (name: string, code: string) => errors.push(`${name} ${code}`),
      onRequest: (name: string, durationMs: number, bytes: number) => {
        expect(durationMs).toBeGreaterThanOrEqual(0);
        requests.set(name, (requests.get(name) ?? 0) + bytes);
      },
    };
    const rpc = source([broken.url, good.url], { observer });
    const ranges = [await rpc.fetch(1, 5), await rpc.fetch(6, 10)];
    expect(errors).toEqual([`${broken.url} node_rpc_error`]);
    const fetched = ranges.reduce((sum, { byteLength }) => sum + byteLength, 0);
    expect(requests.get(good.url)).toBeGreaterThan(fetched);
    expect(requests.get(broken.url)).toBeGreaterThan(0);
    for (const range of ranges) rpc.reportBad(range, new StrataError('node_bad_answer', 'no block in it'));
    expect(errors.slice(1)).toEqual([`${good.url} node_bad_answer`, `${good.url} node_bad_answer`]);
  });

  it('names the last error of each when all are down', async () => {
    const broken = await blockNode(() => text('oops', 500));
    const error = await failure(
      source(['http://127.0.0.1:9', broken.url], { attemptsPerNode: 2 }).fetch(1, 5),
    );
    expect(error.code).toBe('sources_exhausted');
    expect(error.message).toMatch(/127\.0\.0\.1:9 cannot be reached.*ECONNREFUSED.*; .*HTTP 500: oops/);
  });

  it('asks another node for a height that one lags or has pruned', async () => {
    const lagging = await blockNode((_, request) =>
      allRefused(request, 'height 60 must be less than or equal to the current blockchain height 59'),
    );
    const pruned = await blockNode((_, request) =>
      allRefused(request, 'height 60 is not available, lowest height is 300'),
    );
    const good = await node();
    const rpc = source([lagging.url, pruned.url, good.url]);
    for (let i = 0; i < 4; i++) expectBlocks(splitRange(await rpc.fetch(60, 64)), 60, 64);
    expect(pruned.asked()).toBe(1);
    expect(lagging.asked()).toBeLessThan(4);
  });

  it('stops when every node has pruned, with the lowest height that one still has', async () => {
    const nodes = await Promise.all(
      [420, 400].map((lowest) =>
        blockNode((_, request) =>
          allRefused(request, `height 60 is not available, lowest height is ${lowest}`),
        ),
      ),
    );
    expect(await failure(source(nodes.map(({ url }) => url)).fetch(60, 62))).toMatchObject({
      code: 'height_pruned',
      lowestHeight: 400,
    });
  });

  it('leaves out a node of another chain, and stops when none is left', async () => {
    const foreign = await node((_, answer) => ({
      ...answer,
      parts: [
        Buffer.from(
          Buffer.concat(answer.parts).toString('utf8').replace('"network":"9001"', '"network":"7"'),
        ),
      ],
    }));
    const good = await node();
    const warnings: object[] = [];
    const log = { info: () => {}, warn: (facts: object) => warnings.push(facts) };
    const rpc = source([foreign.url, good.url], { chainId: '9001', log });
    expect((await rpc.head()).chainId).toBe('9001');
    for (let i = 0; i < 3; i++) await rpc.fetch(1, 5);
    expect(foreign.asked()).toBe(0);
    expect(warnings).toContainEqual(expect.objectContaining({ chainId: '7', expected: '9001' }));

    // without a configured id the first node decides, unless most are of another chain, or the store is
    const undecided = source([foreign.url, good.url]);
    expect((await undecided.head()).chainId).toBe('7');
    expect(undecided.expectChain?.('8')).toBe(false);
    expect(undecided.expectChain?.('9001')).toBe(true);
    expect((await undecided.head()).chainId).toBe('9001');
    expect(await undecided.fetch(1, 5)).toMatchObject({ origin: good.url });
    const another = await node();
    expect((await source([foreign.url, good.url, another.url]).head()).chainId).toBe('9001');
    const error = await failure(source([foreign.url], { chainId: '9001' }).fetch(1, 5));
    expect(error).toMatchObject({ code: 'chain_id_mismatch' });
    expect(error.message).toContain('it serves chain 7, not 9001');
  });

  it('takes the highest head, without waiting for a node that is silent', async () => {
    const behind = await node((_, answer) => ({
      ...answer,
      parts: [
        Buffer.from(
          Buffer.concat(answer.parts)
            .toString('utf8')
            .replace('"latest_block_height":"501"', '"latest_block_height":"480"'),
        ),
      ],
    }));
    const silent = await node(() => new Promise(() => {}));
    const good = await node();
    const rpc = source([behind.url, silent.url, good.url], { chainId: '9001', timeoutMs: 5_000 });
    const startedMs = Date.now();
    expect((await rpc.head()).latestHeight).toBe(501);
    expect(Date.now() - startedMs).toBeLessThan(1_500);
  });

  it('prefers another node after a report that an answer could not be used', async () => {
    const nodes = [await node(), await node()];
    const rpc = source(nodes.map(({ url }) => url));
    const range = await rpc.fetch(1, 5);
    rpc.reportBad(
      range,
      new StrataError('node_bad_answer', 'the block is that of height 9', { height: 1, retryable: true }),
    );
    const again = await rpc.fetch(1, 5);
    expect(again.origin).not.toBe(range.origin);
    const third = await rpc.fetch(1, 5);
    expect(third.origin).toBe(again.origin);
  });

  it('pauses longer with each report when there is no other node', async () => {
    const rpc = source([(await node()).url], { random: () => 1 });
    const pausesMs: number[] = [];
    for (let i = 0; i < 3; i++) {
      const range = await rpc.fetch(1, 5);
      rpc.reportBad(range, new StrataError('node_bad_answer', 'cut short', { height: 1, retryable: true }));
      const startedMs = Date.now();
      await rpc.fetch(1, 5);
      pausesMs.push(Date.now() - startedMs);
    }
    expect(pausesMs[0]).toBeGreaterThanOrEqual(45);
    expect(pausesMs[1]).toBeGreaterThanOrEqual(190);
    expect(pausesMs[2]).toBeGreaterThanOrEqual(790);
  });
});

describe('waitForHeightAbove', () => {
  it('wakes at a new block, told by the websocket', async () => {
    const paced = await startReplay({ capture, host: '127.0.0.1', port: 0, paceMs: 300 });
    cleanups.push(paced.close);
    const rpc = source([paced.url]);
    // the first wait opens the websocket and may be ended by polling
    await rpc.waitForHeightAbove(paced.head(), 5_000);
    for (let i = 0; i < 3; i++) {
      const before = paced.head();
      await rpc.waitForHeightAbove(before, 5_000);
      expect(paced.head()).toBe(before + 1);
    }
  });

  it('ends at its time and at the signal, with or without a node', async () => {
    for (const url of [(await node()).url, 'http://127.0.0.1:9']) {
      const rpc = source([url]);
      const startedMs = Date.now();
      await rpc.waitForHeightAbove(501, 100);
      expect(Date.now() - startedMs).toBeGreaterThanOrEqual(95);
      await rpc.waitForHeightAbove(501, 60_000, AbortSignal.timeout(50));
      expect(Date.now() - startedMs).toBeLessThan(1_000);
    }
  });

  it('polls when there is no websocket', async () => {
    let height = 300;
    const { url } = await node((request, answer) => {
      if (request.body?.includes('"status"') !== true) return answer;
      return text(
        Buffer.concat(answer.parts)
          .toString('utf8')
          .replace('"latest_block_height":"501"', `"latest_block_height":"${height}"`),
      );
    });
    const front = await halfwayServer(url, 'pass');
    const rpc = source([front]);
    setTimeout(() => {
      height = 301;
    }, 200);
    const startedMs = Date.now();
    await rpc.waitForHeightAbove(300, 10_000);
    expect(Date.now() - startedMs).toBeLessThan(3_000);
  });
});

/** Stands before a node and passes answers on: whole, or in half and then nothing. It has no websocket. */
async function halfwayServer(
  target: string,
  how: 'pass' | 'drip' | 'stall' | 'cut' | 'cut chunked',
): Promise<string> {
  return listen(
    createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        void fetch(target, { method: 'POST', body: Buffer.concat(chunks) }).then(
          async (answer) => {
            const body = Buffer.from(await answer.arrayBuffer());
            if (how !== 'cut chunked') response.setHeader('content-length', body.length);
            if (how === 'pass') return response.end(body);
            if (how === 'drip') return drip(response, body);
            response.write(body.subarray(0, body.length / 2), () => {
              if (how !== 'stall') response.destroy();
            });
          },
          () => response.destroy(),
        ); // the target ends with the test, a request that it never answered with it
      });
    }),
  );
}

/** In five parts, 100 ms apart. */
async function drip(response: ServerResponse, body: Buffer): Promise<void> {
  for (let part = 0; part < 5; part++) {
    response.write(body.subarray((body.length * part) / 5, (body.length * (part + 1)) / 5));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  response.end();
}

async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
