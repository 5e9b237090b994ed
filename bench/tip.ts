import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { openCapture } from '../src/chain/capture/reader.ts';
import { type Replay, startReplay } from '../src/chain/replay/server.ts';
import { benchFolder } from './support/folders.ts';
import { RECORDING_FOLDER } from './support/recording.ts';
import { type Figure, quantile } from './support/report.ts';

const PACE_MS = 250;
const POLL_MS = 2;
/** The first heights show how the program starts. */
const FIRST_HEIGHT = 8;

/**
 * From the moment at which a node shows a block until the API answers with it: `strata start` in a process of its own
 * follows a replay that shows a block every 250 ms. What a commit of one block takes comes from its log.
 */
export async function benchTip(blocks: number, isDurable: boolean): Promise<Figure[]> {
  const capture = await openCapture(RECORDING_FOLDER);
  const node = await startReplay({ capture, host: '127.0.0.1', port: 0, paceMs: PACE_MS });
  const strata = await startStrata(node.url, isDurable);
  try {
    const latenciesMs = await measure(node, strata.url, blocks);
    const named = isDurable ? 'tip, --durable' : 'tip';
    const commitMs = strata.commitsMs.slice(-blocks);
    const over = quantile(latenciesMs, 0.5) - quantile(commitMs, 0.5);
    const ms = (name: string, value: number): Figure => ({ name: `${named}: ${name}`, value, unit: 'ms' });
    return [
      ms('node to API, p50', quantile(latenciesMs, 0.5)),
      ms('node to API, p99', quantile(latenciesMs, 0.99)),
      ms('commit of one block, p50', quantile(commitMs, 0.5)),
      ms('commit of one block, p99', quantile(commitMs, 0.99)),
      { ...ms('node to API without the commit, p50', over), ...(isDurable ? {} : { aim: '≤ 200' }) },
    ];
  } finally {
    await strata.stop();
    await node.close();
  }
}

interface Strata {
  readonly url: string;
  /** How long each commit took, in their order. */
  readonly commitsMs: readonly number[];
  stop(): Promise<void>;
}

async function startStrata(nodeUrl: string, isDurable: boolean): Promise<Strata> {
  const program = new URL('../src/strata.cjs', import.meta.url).pathname;
  const flags = ['--rpc', nodeUrl, '--data', benchFolder(), '--listen', '127.0.0.1:0'];
  const logging = ['--log-format', 'json', '--log-level', 'debug', ...(isDurable ? ['--durable'] : [])];
  const child = spawn(process.execPath, [program, 'start', ...flags, ...logging], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  const commitsMs: number[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    void ended.then(() => reject(new Error('strata start ended early')));
    createInterface({ input: child.stderr }).on('line', (line) => {
      // a process that is late to stop reports it in plain text
      if (!line.startsWith('{')) {
        process.stderr.write(`${line}\n`);
        return;
      }
      const { msg, durationMs } = JSON.parse(line) as { msg?: string; durationMs?: number };
      if (msg === 'committed' && durationMs !== undefined) commitsMs.push(durationMs);
      if (msg?.startsWith('serving http') === true) resolve(msg.slice('serving '.length));
    });
  });
  return {
    url,
    commitsMs,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Milliseconds from the node's showing a height until the API answers with it, one after the other. */
async function measure(node: Replay, url: string, blocks: number): Promise<readonly number[]> {
  const api = new Pool(url, { connections: 1 });
  const shownAtMs = new Map<number, number>();
  const watch = setInterval(() => {
    const height = node.head();
    if (!shownAtMs.has(height)) shownAtMs.set(height, performance.now());
  }, 1);
  const latenciesMs: number[] = [];
  const first = Math.max(FIRST_HEIGHT, node.head() + 2);
  for (let height = first; height < first + blocks; height++) {
    while (!shownAtMs.has(height) || !(await answers(api, height))) await sleep(POLL_MS);
    latenciesMs.push(performance.now() - (shownAtMs.get(height) ?? 0));
  }
  clearInterval(watch);
  await api.close();
  return latenciesMs;
}

async function answers(api: Pool, height: number): Promise<boolean> {
  const { statusCode, body } = await api.request({ method: 'GET', path: `/v1/blocks/${height}` });
  await body.dump();
  return statusCode === 200;
}
