import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { quantile } from './report.ts';

/**
 * A load generator in a process of its own: GETs on keep-alive connections, one request at a time on each, over bare
 * sockets with prebuilt requests, as a client library costs more than the answers. argv: a file with a LoadPlan as
 * JSON. Prints a LoadResult as JSON.
 */
export interface LoadPlan {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** Asked for in turn, over and over. */
  readonly targets: readonly string[];
  /** What a connection waits between an answer and its next request; nothing by default. */
  readonly pauseMs?: number;
}

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of the generator itself: near 1 core it is what was measured. */
  readonly cores: number;
}

const HEAD_END = Buffer.from('\r\n\r\n');

async function main(planFile: string): Promise<void> {
  const plan = JSON.parse(readFileSync(planFile, 'utf8')) as LoadPlan;
  const { hostname, port } = new URL(plan.url);
  const requests = plan.targets.map((target) =>
    Buffer.from(`GET ${target} HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`, 'latin1'),
  );
  const latenciesMs: number[] = [];
  let next = 0;

  const lane = (endMs: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket: Socket = connect(Number(port), hostname);
      socket.setNoDelay(true);
      let sentMs = 0;
      let head: Buffer = Buffer.alloc(0);
      let missing = 0;
      const send = (): void => {
        if (performance.now() >= endMs) {
          socket.destroy();
          resolve();
          return;
        }
        sentMs = performance.now();
        socket.write(requests[next++ % requests.length] as Buffer);
      };
      const answered = (): void => {
        latenciesMs.push(performance.now() - sentMs);
        if (plan.pauseMs === undefined) send();
        else setTimeout(send, plan.pauseMs);
      };
      socket.on('connect', send);
      socket.on('error', reject);
      socket.on('close', () => reject(new Error('the server closed a connection')));
      socket.on('data', (chunk) => {
        if (missing > 0) {
          missing -= chunk.length;
          if (missing === 0) answered();
          return;
        }
        head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
        const end = head.indexOf(HEAD_END);
        if (end < 0) return;
        const text = head.toString('latin1', 0, end);
        const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
        if (!text.startsWith('HTTP/1.1 200') || length === undefined) {
          reject(new Error(text));
          return;
        }
        missing = Number(length) - (head.length - end - HEAD_END.length);
        head = Buffer.alloc(0);
        if (missing === 0) answered();
      });
    });

  const startedMs = performance.now();
  const startedCpu = process.cpuUsage();
  const endMs = startedMs + plan.seconds * 1000;
  await Promise.all(Array.from({ length: plan.connections }, () => lane(endMs)));
  const seconds = (performance.now() - startedMs) / 1000;
  const { user, system } = process.cpuUsage(startedCpu);
  const result: LoadResult = {
    requests: latenciesMs.length,
    seconds,
    p50Ms: quantile(latenciesMs, 0.5),
    p99Ms: quantile(latenciesMs, 0.99),
    cores: (user + system) / 1e6 / seconds,
  };
  console.log(JSON.stringify(result));
}

const [planFile] = process.argv.slice(2);
if (import.meta.filename === process.argv[1] && planFile !== undefined) await main(planFile);
