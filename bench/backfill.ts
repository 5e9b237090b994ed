import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { BackfillRun } from './support/backfill-run.ts';
import { type Child, startChild } from './support/child.ts';
import { type FloorRun, runFloor, runMinimalLoop } from './support/floor.ts';
import { benchFolder } from './support/folders.ts';
import type { Figure } from './support/report.ts';
import type { Variant } from './support/stretched-chain.ts';

const MINIMAL_CONNECTIONS = [1, 2, 4, 8];

/**
 * Blocks/s of a backfill from a node on loopback into an empty embedded store, until everything is committed, against
 * a loop that only fetches the same bytes with the same source, ranges and threads and JSON.parses each body once.
 * The floor runs before and after it, since a machine's speed drifts.
 */
export async function benchBackfill(blocks: number, workers: number, variant: Variant): Promise<Figure[]> {
  const node = await startNode(blocks, variant);
  const named = variant === 'recorded' ? '' : `, ${variant} small txs a block`;
  try {
    const before = await runFloor(node.ready, blocks, workers);
    const nodeBefore = node.cpuSeconds();
    const backfill = await runBackfill(node.ready, blocks, workers);
    const nodeCpu = node.cpuSeconds() - nodeBefore;
    const after = await runFloor(node.ready, blocks, workers);
    const floorSeconds = (before.seconds + after.seconds) / 2;
    const megabytes = before.bytes / 1e6;
    const figures: Figure[] = [
      { name: `floor${named}`, value: blocks / floorSeconds, unit: 'blocks/s' },
      { name: `floor${named}`, value: megabytes / floorSeconds, unit: 'MB/s' },
      { name: `backfill, committed${named}`, value: blocks / backfill.seconds, unit: 'blocks/s' },
      { name: `backfill, committed${named}`, value: megabytes / backfill.seconds, unit: 'MB/s' },
      {
        name: `backfill ÷ floor${named}`,
        value: floorSeconds / backfill.seconds,
        unit: 'ratio',
        aim: '≥ 0.5, stretch 0.65',
      },
      { name: `backfill, process CPU${named}`, value: backfill.cpuSeconds / backfill.seconds, unit: 'cores' },
      { name: `backfill, node's CPU${named}`, value: nodeCpu / backfill.seconds, unit: 'cores' },
      { name: `backfill, peak RSS${named}`, value: backfill.peakRssBytes / 1e6, unit: 'MB' },
    ];
    if (variant !== 'recorded') return figures;
    const best = await bestMinimal(node, blocks >> 2, workers);
    const floorRate = bytesPerSecond(await runFloor(node.ready, blocks >> 2, workers));
    return [
      ...figures,
      { name: 'minimal node:http loop, best', value: best / 1e6, unit: 'MB/s' },
      { name: 'floor ÷ minimal loop', value: floorRate / best, unit: 'ratio', aim: '≥ 0.9' },
    ];
  } finally {
    await node.stop();
  }
}

/** Memory and speed over a chain of ten times the length. */
export async function benchLength(blocks: number, workers: number): Promise<Figure[]> {
  const node = await startNode(blocks * 10, 'recorded');
  try {
    const short = await runBackfill(node.ready, blocks, workers);
    const long = await runBackfill(node.ready, blocks * 10, workers);
    const tenth = (from: number) => secondsAt(long, blocks * (from + 1)) - secondsAt(long, blocks * from);
    return [
      { name: `peak RSS, ${blocks} blocks`, value: short.peakRssBytes / 1e6, unit: 'MB' },
      { name: `peak RSS, ${blocks * 10} blocks`, value: long.peakRssBytes / 1e6, unit: 'MB' },
      {
        name: 'peak RSS, 10× ÷ 1×',
        value: long.peakRssBytes / short.peakRssBytes,
        unit: 'ratio',
        aim: '≤ 1.1',
      },
      { name: 'blocks/s, first tenth', value: blocks / tenth(0), unit: 'blocks/s' },
      { name: 'blocks/s, last tenth', value: blocks / tenth(9), unit: 'blocks/s' },
      { name: 'last tenth ÷ first tenth', value: tenth(0) / tenth(9), unit: 'ratio', aim: '≥ 0.95' },
    ];
  } finally {
    await node.stop();
  }
}

export function startNode(blocks: number, variant: Variant, latencyMs = 0): Promise<Child> {
  return startChild(new URL('./support/stretched-node.js', import.meta.url), [
    String(blocks),
    String(variant),
    String(latencyMs),
  ]);
}

export interface BackfillOptions {
  /** The cores that the process may use; all by default. Linux. */
  readonly cores?: number;
  /** Each insert is made slower by so many milliseconds. */
  readonly slowInsertMs?: number;
}

export async function runBackfill(
  url: string,
  blocks: number,
  workers: number,
  { cores, slowInsertMs = 0 }: BackfillOptions = {},
): Promise<BackfillRun> {
  const script = new URL('./support/backfill-run.js', import.meta.url).pathname;
  const args = [script, url, String(blocks), String(workers), benchFolder(), 'on', String(slowInsertMs)];
  const [program, all] =
    cores === undefined
      ? [process.execPath, args]
      : ['taskset', ['--cpu-list', `0-${cores - 1}`, process.execPath, ...args]];
  const { stdout } = await promisify(execFile)(program, all, { maxBuffer: 1 << 24 });
  return JSON.parse(stdout) as BackfillRun;
}

async function bestMinimal(node: Child, blocks: number, workers: number): Promise<number> {
  let best = 0;
  for (const connections of MINIMAL_CONNECTIONS) {
    best = Math.max(best, bytesPerSecond(await runMinimalLoop(node.ready, blocks, connections, workers)));
  }
  return best;
}

function bytesPerSecond({ bytes, seconds }: FloorRun): number {
  return bytes / seconds;
}

/** When a height was committed; between two commits blocks are taken to come evenly. */
function secondsAt({ commits }: BackfillRun, height: number): number {
  let before = { height: 0, seconds: 0 };
  for (const commit of commits) {
    if (commit.height >= height) {
      const share = (height - before.height) / (commit.height - before.height);
      return before.seconds + share * (commit.seconds - before.seconds);
    }
    before = commit;
  }
  return before.seconds;
}
