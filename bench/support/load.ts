import { readFileSync } from 'node:fs';
import { Pool } from 'undici';

/**
 * A load generator in a process of its own: GETs the targets it is given over and over on keep-alive connections for
 * some seconds. argv: url, connections, seconds, a file with the targets as JSON. Prints requests, seconds and latencies as JSON.
 */
const [url = '', connections = '', seconds = '', targetsFile = ''] = process.argv.slice(2);
const targets = JSON.parse(readFileSync(targetsFile, 'utf8')) as string[];
const pool = new Pool(url, { connections: Number(connections), pipelining: 1 });
const latenciesMs: number[] = [];
const endMs = performance.now() + Number(seconds) * 1000;
const startedMs = performance.now();
let next = 0;

async function lane(): Promise<void> {
  while (performance.now() < endMs) {
    const path = targets[next++ % targets.length] ?? '/';
    const sentMs = performance.now();
    const { statusCode, body } = await pool.request({ method: 'GET', path });
    await body.arrayBuffer();
    if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`);
    latenciesMs.push(performance.now() - sentMs);
  }
}

await Promise.all(Array.from({ length: Number(connections) }, lane));
const elapsed = (performance.now() - startedMs) / 1000;
latenciesMs.sort((a, b) => a - b);
const at = (share: number) =>
  latenciesMs[Math.min(latenciesMs.length - 1, Math.floor(latenciesMs.length * share))];
console.log(
  JSON.stringify({ requests: latenciesMs.length, seconds: elapsed, p50Ms: at(0.5), p99Ms: at(0.99) }),
);
await pool.close();
