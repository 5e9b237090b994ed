import { FAULTS, type FaultName } from 'strata-kit/rpc/faults/names';
import { openCapture } from '../src/chain/capture/reader.ts';
import { splitRange } from '../src/chain/envelope.ts';
import { startReplay } from '../src/chain/replay/server.ts';
import { createRpcSource } from '../src/chain/rpc/source.ts';
import { median, RECORDING_FOLDER } from './support/recording.ts';
import type { Figure } from './support/report.ts';

/** What gateways do, one at a time. */
export const GATEWAYS = [
  'batch-400',
  'batch-500',
  'batch-error',
  'batch-first',
  'batch-two',
  'get-only',
  'too-many',
  'retry-after',
  'bad-gateway',
  'unavailable',
  'gzip',
  'deflate',
  'br',
  'far-50',
  'far-150',
] as const satisfies readonly FaultName[];
const RANGE_BLOCKS = 50;
const RANGES_IN_FLIGHT = 4;

/** Blocks/s of fetching the recording through each gateway ÷ from a good node, in this run. Reported, without an aim. */
export async function benchEndpoints(rounds: number, gateways: readonly FaultName[]): Promise<Figure[]> {
  const names: readonly (FaultName | undefined)[] = [undefined, ...gateways];
  const speeds = names.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [at, name] of names.entries()) speeds[at]?.push(await speedOf(name));
  }
  const [good = Number.NaN, ...others] = speeds.map(median);
  return [
    { name: 'a good node', value: good, unit: 'blocks/s' },
    ...others.map((speed, at) => ({ name: `${gateways[at]} ÷ good`, value: speed / good, unit: 'ratio' })),
  ];
}

async function speedOf(name: FaultName | undefined): Promise<number> {
  const capture = await openCapture(RECORDING_FOLDER);
  const { lastHeight } = capture.blocks;
  const chances = new Map(name === undefined ? [] : [[name, FAULTS[name]] as const]);
  const node = await startReplay({ capture, host: '127.0.0.1', port: 0, faults: { chances, seed: 1 } });
  const source = createRpcSource({ urls: [node.url] });
  let next = 1;
  const lane = async (): Promise<void> => {
    while (next <= lastHeight) {
      const from = next;
      const to = Math.min(lastHeight, from + RANGE_BLOCKS - 1);
      next = to + 1;
      splitRange(await source.fetch(from, to));
    }
  };
  try {
    const startedMs = performance.now();
    await Promise.all(Array.from({ length: RANGES_IN_FLIGHT }, lane));
    return lastHeight / ((performance.now() - startedMs) / 1_000);
  } finally {
    await source.close();
    await node.close();
    await capture.blocks.close();
  }
}
