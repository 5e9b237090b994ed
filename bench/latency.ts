import { runBackfill, startNode } from './backfill.ts';
import type { Figure } from './support/report.ts';

/**
 * Blocks/s of a backfill from nodes that answer so many milliseconds late ÷ from one on loopback, all in this run. The one
 * on loopback is measured before and after the others, since a machine's speed drifts.
 */
export async function benchLatency(
  blocks: number,
  workers: number,
  latenciesMs: readonly number[],
): Promise<Figure[]> {
  const before = await speedAt(0, blocks, workers);
  const speeds: (readonly [latencyMs: number, speed: number])[] = [];
  for (const latencyMs of latenciesMs) speeds.push([latencyMs, await speedAt(latencyMs, blocks, workers)]);
  const near = (before + (await speedAt(0, blocks, workers))) / 2;
  return [
    { name: 'on loopback', value: near, unit: 'blocks/s' },
    ...speeds.map(([ms, value]) => ({ name: `${ms} ms away`, value, unit: 'blocks/s' })),
    ...speeds.map(([ms, speed]) => ({
      name: `${ms} ms away ÷ on loopback`,
      value: speed / near,
      unit: 'ratio',
      ...(ms === 150 ? { aim: '≥ 0.8' } : {}),
    })),
  ];
}

async function speedAt(latencyMs: number, blocks: number, workers: number): Promise<number> {
  const node = await startNode(blocks, 'recorded', latencyMs);
  try {
    return blocks / (await runBackfill(node.ready, blocks, workers)).seconds;
  } finally {
    await node.stop();
  }
}
