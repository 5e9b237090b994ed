import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { openCapture } from '../src/chain/capture/reader.ts';
import { type Replay, startReplay } from '../src/chain/replay/server.ts';
import { RECORDING_FOLDER } from './support/recording.ts';
import { type Figure, quantile } from './support/report.ts';
import { startStrata } from './support/started-strata.ts';

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
  const strata = await startStrata(node.url, isDurable ? ['--durable'] : []);
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
