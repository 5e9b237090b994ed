import { Agent, request } from 'node:http';
import { Piscina } from 'piscina';
import { createRpcSource } from '../../src/chain/rpc/source.ts';
import { RANGE_BLOCKS } from './indexing.ts';

/** What a loop that only fetches and parses did. */
export interface FloorRun {
  readonly seconds: number;
  readonly bytes: number;
}

type Fetch = (from: number, to: number) => Promise<readonly Uint8Array[]>;

const RANGES_IN_FLIGHT = 4;
/** A node's batch holds 10 calls, which are 5 heights. */
const BATCH_HEIGHTS = 5;

/** The product's fetch code and ranges; utf8 and JSON.parse of each body, once, on as many threads as decode. */
export async function runFloor(url: string, blocks: number, workers: number): Promise<FloorRun> {
  const source = createRpcSource({ urls: [url] });
  const fetch: Fetch = async (from, to) => (await source.fetch(from, to)).bodies.map(({ bytes }) => bytes);
  const run = await loop(fetch, blocks, RANGE_BLOCKS, workers * RANGES_IN_FLIGHT, workers);
  await source.close();
  return run;
}

/** The same with nothing but node:http: keep-alive connections, one batch of 10 calls each, parsed on the same threads. */
export async function runMinimalLoop(
  url: string,
  blocks: number,
  connections: number,
  workers: number,
): Promise<FloorRun> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const fetch: Fetch = async (from, to) => [await post(url, agent, batchOf(from, to))];
  const run = await loop(fetch, blocks, BATCH_HEIGHTS, connections, workers);
  agent.destroy();
  return run;
}

async function loop(
  fetch: Fetch,
  blocks: number,
  rangeBlocks: number,
  lanes: number,
  workers: number,
): Promise<FloorRun> {
  const pool = new Piscina({
    filename: new URL('./parse-worker.js', import.meta.url).href,
    minThreads: workers,
    maxThreads: workers,
  });
  const startedMs = performance.now();
  let bytes = 0;
  let next = 1;
  const lane = async (): Promise<void> => {
    while (next <= blocks) {
      const from = next;
      const to = Math.min(blocks, from + rangeBlocks - 1);
      next = to + 1;
      const bodies = await fetch(from, to);
      for (const body of bodies) bytes += body.byteLength;
      await pool.run(bodies, {
        name: 'parse',
        transferList: bodies.map((body) => body.buffer as ArrayBuffer),
      });
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  const seconds = (performance.now() - startedMs) / 1000;
  await pool.destroy();
  return { seconds, bytes };
}

function batchOf(from: number, to: number): string {
  const calls: object[] = [];
  for (let height = from; height <= to; height++) {
    for (const method of ['block', 'block_results']) {
      calls.push({ jsonrpc: '2.0', id: calls.length, method, params: { height: String(height) } });
    }
  }
  return JSON.stringify(calls);
}

function post(url: string, agent: Agent, body: string): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      // one buffer of the announced length: nothing cheaper can be done with what arrives
      const bytes = new Uint8Array(Number(response.headers['content-length']));
      let length = 0;
      response.on('data', (chunk: Buffer) => {
        bytes.set(chunk, length);
        length += chunk.length;
      });
      response.on('end', () => resolve(bytes));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
