import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { NURSERY_MB } from '../src/pipeline/decode-pool.ts';
import type { DecodeRounds } from './support/decode-rounds.ts';
import { median } from './support/recording.ts';
import type { Figure } from './support/report.ts';

/**
 * Decode on one thread, raw bytes → Native, everything (split, decode, digests), against utf8 + JSON.parse of the same
 * bytes, both in a thread with a decode worker's limits. Rounds alternate, so that a machine whose speed drifts slows
 * both.
 */
export async function benchDecode(rounds: number): Promise<Figure[]> {
  const worker = new Worker(new URL('./support/decode-rounds.js', import.meta.url), {
    workerData: { rounds },
    resourceLimits: { maxYoungGenerationSizeMb: NURSERY_MB },
  });
  const [{ blocks, decodeMs, parseMs }] = (await once(worker, 'message')) as [DecodeRounds];
  const perSecond = (ms: number) => (blocks / ms) * 1000;
  return [
    { name: 'decode, one thread', value: perSecond(median(decodeMs)), unit: 'blocks/s' },
    { name: 'JSON.parse of the same', value: perSecond(median(parseMs)), unit: 'blocks/s' },
    {
      name: 'decode ÷ JSON.parse',
      value: median(decodeMs.map((ms, i) => (parseMs[i] ?? 0) / ms)),
      unit: 'ratio',
      aim: '≥ 0.8',
    },
  ];
}
