import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openCapture } from '../src/chain/capture/reader.ts';
import { startReplay } from '../src/chain/replay/server.ts';
import { RECORDING_FOLDER } from './support/recording.ts';
import { type Figure, quantile } from './support/report.ts';
import { type StartedStrata, startStrata } from './support/started-strata.ts';
import { stretchedCapture } from './support/stretched-capture.ts';
import { openStretchedChain } from './support/stretched-chain.ts';

const ROUNDS = 20;
/** Somebody reads, so that each block is a commit. */
const ASK_MS = 250;

export interface SoakSize {
  readonly blocks: number;
  /** What the process is at the end is compared with what it was at this height. */
  readonly earlyHeight: number;
  /** Between two blocks. */
  readonly paceMs: number;
}

interface Sample {
  readonly rssMb: number;
  readonly files: number;
  readonly descriptors: number;
  /** By route, the median of ROUNDS requests one after the other. */
  readonly latencyMs: ReadonlyMap<string, number>;
}

/**
 * A whole `strata start` that follows a node for many blocks while somebody reads: memory, files of the store, open
 * descriptors and the latency of five routes at the end, and at an early height. Linux alone.
 */
export async function benchSoak({ blocks, earlyHeight, paceMs }: SoakSize): Promise<Figure[]> {
  const capture = await openCapture(RECORDING_FOLDER);
  const chain = await openStretchedChain('recorded', blocks);
  const stretched = stretchedCapture(capture, chain, blocks);
  const node = await startReplay({ capture: stretched, host: '127.0.0.1', port: 0, paceMs });
  const strata = await startStrata(node.url, []);
  try {
    await untilIndexed(strata, earlyHeight);
    const early = await sampleOf(strata, earlyHeight);
    await untilIndexed(strata, blocks);
    const end = await sampleOf(strata, blocks);
    const compared = (name: string, from: number, to: number, unit: string, aim?: string): Figure[] => [
      { name: `${name}, height ${earlyHeight}`, value: from, unit },
      { name: `${name}, height ${blocks}`, value: to, unit },
      { name: `${name}, ÷`, value: to / from, unit: 'ratio', ...(aim === undefined ? {} : { aim }) },
    ];
    return [
      { name: 'blocks a commit', value: blocks / strata.commitsMs.length, unit: '' },
      ...compared('RSS', early.rssMb, end.rssMb, 'MB', '≤ 1.1'),
      ...compared('files of the store', early.files, end.files, ''),
      ...compared('open descriptors', early.descriptors, end.descriptors, ''),
      ...[...early.latencyMs].flatMap(([route, ms]) =>
        compared(`${route}, p50`, ms, end.latencyMs.get(route) ?? Number.NaN, 'ms'),
      ),
    ];
  } finally {
    await strata.stop();
    await node.close();
    await capture.blocks.close();
  }
}

async function untilIndexed({ get }: StartedStrata, height: number): Promise<void> {
  for (;;) {
    const { indexed_height } = JSON.parse(await get('/v1/status')) as { indexed_height: number };
    if (indexed_height >= height) return;
    await sleep(ASK_MS);
  }
}

async function sampleOf({ pid, get, dataFolder }: StartedStrata, height: number): Promise<Sample> {
  const routes: readonly (readonly [name: string, path: string])[] = [
    ['/v1/status', '/v1/status'],
    ['/v1/stats', '/v1/stats'],
    ['/v1/blocks', '/v1/blocks?limit=20'],
    ['/v1/txs', '/v1/txs?limit=20'],
    ['/v1/blocks/{height}', `/v1/blocks/${height >> 1}`],
  ];
  const latencyMs = new Map<string, number>();
  for (const [name, path] of routes) {
    const took: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const startedMs = performance.now();
      await get(path);
      took.push(performance.now() - startedMs);
    }
    latencyMs.set(name, quantile(took, 0.5));
  }
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return {
    rssMb: Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1_000,
    files: countFiles(dataFolder),
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    latencyMs,
  };
}

function countFiles(folder: string): number {
  try {
    return readdirSync(folder, { withFileTypes: true }).reduce(
      (count, entry) => count + (entry.isDirectory() ? countFiles(join(folder, entry.name)) : 1),
      0,
    );
  } catch (error) {
    // the engine removes parts meanwhile
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}
