import { decodeRecording, loadRecording, median } from './support/recording.ts';
import type { Figure } from './support/report.ts';

/** The first rounds compile. */
const WARM_UP_ROUNDS = 5;

/**
 * Decode on one thread, raw bytes → Native, everything (split, decode, digests), against utf8 + JSON.parse of the same
 * bytes. Rounds alternate, so that a machine whose speed drifts slows both.
 */
export async function benchDecode(rounds: number): Promise<Figure[]> {
  const recording = await loadRecording();
  const decodeMs: number[] = [];
  const parseMs: number[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + rounds; round++) {
    const startedMs = performance.now();
    decodeRecording(recording);
    const decodedMs = performance.now();
    for (const range of recording.ranges) {
      for (const body of range.bodies) {
        for (const line of Buffer.from(body.bytes).toString('utf8').split('\n'))
          if (line !== '') JSON.parse(line);
      }
    }
    if (round < WARM_UP_ROUNDS) continue;
    decodeMs.push(decodedMs - startedMs);
    parseMs.push(performance.now() - decodedMs);
  }
  const perSecond = (ms: number) => (recording.blocks / ms) * 1000;
  return [
    { name: 'decode, one thread', value: perSecond(median(decodeMs)), unit: 'blocks/s' },
    { name: 'JSON.parse of the same', value: perSecond(median(parseMs)), unit: 'blocks/s' },
    {
      name: 'decode ÷ JSON.parse',
      value: median(decodeMs.map((ms, i) => (parseMs[i] ?? 0) / ms)),
      unit: 'ratio',
    },
  ];
}
