import { setTimeout as sleep } from 'node:timers/promises';
import { openCapture } from '../src/chain/capture/reader.ts';
import { startReplay } from '../src/chain/replay/server.ts';
import { cpuSecondsOf } from './support/child.ts';
import { RECORDING_FOLDER } from './support/recording.ts';
import { type Figure, quantile } from './support/report.ts';
import { startStrata } from './support/started-strata.ts';

const BLOCK_MS = 1_000;
/** The indexer pauses again so long after the last request (src/pipeline/head-pace.ts). */
const UNREAD_AFTER_MS = 14_000;

export interface FollowSize {
  /** Before anything is measured: code is compiled meanwhile. */
  readonly warmUpMs: number;
  /** Of each of the two measurements. */
  readonly blocks: number;
  readonly firstRequests: number;
}

/** A chain that shows a block every second. */
export interface FollowedChain {
  /** In the figures' names. */
  readonly name: string;
  /** A capture. */
  readonly folder: string;
}

export const RECORDED: FollowedChain = { name: 'recording', folder: RECORDING_FOLDER };

/**
 * CPU of a whole `strata start` a block, behind a node that shows a block every second: while nobody reads, and while
 * somebody asks for the status every second. And how long the first request after a pause takes. Both windows hold
 * other blocks, of which later ones may have more in them.
 */
export async function benchFollow(
  { name, folder }: FollowedChain,
  { warmUpMs, blocks, firstRequests }: FollowSize,
): Promise<Figure[]> {
  const aim = name === RECORDED.name ? '≤ 60' : '≤ 120';
  const capture = await openCapture(folder);
  const node = await startReplay({ capture, host: '127.0.0.1', port: 0, paceMs: BLOCK_MS });
  const strata = await startStrata(node.url, []);
  const ask = async (): Promise<number> => {
    const startedMs = performance.now();
    await strata.get('/v1/status');
    return performance.now() - startedMs;
  };
  const perBlock = async (eachBlock: () => Promise<unknown>): Promise<number> => {
    const before = cpuSecondsOf(strata.pid);
    for (let at = 0; at < blocks; at++) {
      const startedMs = performance.now();
      await eachBlock();
      await sleep(Math.max(0, startedMs + BLOCK_MS - performance.now()));
    }
    return ((cpuSecondsOf(strata.pid) - before) / blocks) * 1_000;
  };
  try {
    await sleep(warmUpMs);
    const unread = await perBlock(async () => undefined);
    const first: number[] = [];
    for (let at = 0; at < firstRequests; at++) {
      await sleep(UNREAD_AFTER_MS);
      first.push(await ask());
    }
    const read = await perBlock(ask);
    return [
      { name: `start, ${name}: CPU a block, 1 block/s, nobody reads`, value: unread, unit: 'ms', aim },
      { name: `start, ${name}: CPU a block, 1 block/s, a reader`, value: read, unit: 'ms', aim },
      { name: `start, ${name}: first request after a pause, p50`, value: quantile(first, 0.5), unit: 'ms' },
      { name: `start, ${name}: first request after a pause, slowest`, value: Math.max(...first), unit: 'ms' },
    ];
  } finally {
    await strata.stop();
    await node.close();
    await capture.blocks.close();
  }
}
