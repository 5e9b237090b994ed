import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Figure } from './support/report.ts';

/**
 * The API's listener against uWebSockets.js itself, and against clients that trickle, and what the app that forwards to
 * it adds; and over node:http. Requests
 * cost CPU time of the server's process, which does not depend on how much the load generator leaves it; they are asked
 * in turns.
 */
const CONNECTIONS = 32;
const ROUNDS = 8;
const SLOW_SOCKETS = 5_000;
const TARGET = '/openapi.yaml';
const REQUEST = `GET ${TARGET} HTTP/1.1\r\nHost: bench\r\n\r\n`;

export async function benchHttp(seconds: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const bytes of [200, 4_000, 40_000]) {
    const plain = await startServer('static', String(bytes));
    const api = await startServer('api', String(bytes));
    const node = await startServer('node', String(bytes));
    const app = await startServer('app', `http://127.0.0.1:${api.port}`);
    const costs = { plain: 0, api: 0, node: 0, app: 0 };
    const rates = { api: 0, node: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      costs.plain += (await costOf(plain, seconds / ROUNDS)).cpuUs;
      for (const [kind, server] of [
        ['api', api],
        ['node', node],
      ] as const) {
        const { cpuUs, perSecond } = await costOf(server, seconds / ROUNDS);
        costs[kind] += cpuUs;
        rates[kind] += perSecond;
      }
      costs.app += (await costOf(app, seconds / ROUNDS)).cpuUs;
    }
    const size = `${bytes.toLocaleString('en')} bytes`;
    figures.push(
      { name: `static answer, ${size}`, value: costs.plain / ROUNDS, unit: 'µs of CPU' },
      { name: `cached route, ${size}`, value: costs.api / ROUNDS, unit: 'µs of CPU' },
      { name: `cached route over node:http, ${size}`, value: costs.node / ROUNDS, unit: 'µs of CPU' },
      {
        name: `cached route, ${size}`,
        value: rates.api / ROUNDS,
        unit: 'requests/s, as fast as the load asks',
      },
      {
        name: `cached route over node:http, ${size}`,
        value: rates.node / ROUNDS,
        unit: 'requests/s, likewise',
      },
      {
        name: `forwarded by the app, ${size}`,
        value: costs.app / ROUNDS,
        unit: 'µs of CPU, the API’s left out',
      },
      { name: `static ÷ cached route, ${size}`, value: costs.plain / costs.api, unit: '' },
    );
    for (const { child } of [plain, api, node, app]) child.disconnect();
  }
  return [...figures, ...(await benchSlowSockets(seconds))];
}

/** p99 of 8 connections with and without 5,000 that send a byte of a request line each second, in turns. */
async function benchSlowSockets(seconds: number): Promise<Figure[]> {
  const server = await startServer('api', '4000');
  const calm: number[] = [];
  const crowded: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await ask(server.port, 8, seconds / ROUNDS, calm);
    const slow = await openSlow(server.port);
    await ask(server.port, 8, seconds / ROUNDS, crowded);
    slow.close();
  }
  server.child.disconnect();
  const before = percentile(calm, 0.99);
  const during = percentile(crowded, 0.99);
  return [
    { name: 'p99, 8 connections', value: before, unit: 'ms' },
    { name: `p99 beside ${SLOW_SOCKETS.toLocaleString('en')} that trickle`, value: during, unit: 'ms' },
    { name: 'p99 with ÷ without', value: during / before, unit: '' },
  ];
}

interface Server {
  readonly child: ChildProcess;
  readonly port: number;
}

async function startServer(which: 'static' | 'api' | 'node' | 'app', given: string): Promise<Server> {
  const script = fileURLToPath(new URL('./support/http-server.js', import.meta.url));
  const child = fork(script, [which, given]);
  const [port] = (await once(child, 'message')) as [number];
  await ask(port, CONNECTIONS, 0.3, []);
  return { child, port };
}

interface Cost {
  /** Of the server's CPU time, a request. */
  readonly cpuUs: number;
  readonly perSecond: number;
}

async function costOf({ child, port }: Server, seconds: number): Promise<Cost> {
  const cpu = async (): Promise<number> => {
    child.send('cpu');
    return ((await once(child, 'message')) as [number])[0];
  };
  const latencies: number[] = [];
  await cpu();
  const startMs = performance.now();
  await ask(port, CONNECTIONS, seconds, latencies);
  const perSecond = (latencies.length / (performance.now() - startMs)) * 1000;
  return { cpuUs: (await cpu()) / latencies.length, perSecond };
}

/** Asks over and over on keep-alive connections; answers are counted by their length, which the first one tells. */
async function ask(port: number, connections: number, seconds: number, latencies: number[]): Promise<void> {
  const endMs = performance.now() + seconds * 1000;
  await Promise.all(Array.from({ length: connections }, () => askOn(port, endMs, latencies)));
}

function askOn(port: number, endMs: number, latencies: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let expected = 0;
    let got = 0;
    let sentMs = 0;
    const send = (): void => {
      got = 0;
      sentMs = performance.now();
      socket.write(REQUEST);
    };
    socket.on('error', reject);
    socket.on('connect', send);
    socket.on('close', () => resolve());
    socket.on('data', (chunk) => {
      if (expected === 0) expected = answerBytes(chunk);
      got += chunk.length;
      if (got < expected) return;
      latencies.push(performance.now() - sentMs);
      if (performance.now() < endMs) send();
      else socket.destroy();
    });
  });
}

function answerBytes(chunk: Buffer): number {
  const headEnd = chunk.indexOf('\r\n\r\n') + 4;
  const head = chunk.subarray(0, headEnd).toString('latin1');
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(head);
  return headEnd + Number(/content-length: (\d+)/i.exec(head)?.[1]);
}

async function openSlow(port: number): Promise<{ close(): void }> {
  const sockets: Socket[] = [];
  for (let i = 0; i < SLOW_SOCKETS; i++) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    sockets.push(socket);
    if (i % 100 === 99) await once(socket, 'connect');
  }
  let turn = 0;
  // a byte a second each, spread over the second
  const timer = setInterval(() => {
    for (let i = turn++ % 100; i < sockets.length; i += 100) sockets[i]?.write('G');
  }, 10);
  return {
    close() {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
    },
  };
}

function percentile(values: number[], share: number): number {
  values.sort((a, b) => a - b);
  return values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
}
