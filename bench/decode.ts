import { decodeRecording, loadRecording, median } from './support/recording.ts';

/**
 * Decode on one thread, raw bytes → Native, everything (split, decode, digests), against utf8 + JSON.parse of the same
 * bytes. Rounds alternate, so that a machine whose speed drifts slows both.
 *
 * Run: npm run -s bench:decode
 */
const ROUNDS = 15;

const recording = await loadRecording();
const decodeMs: number[] = [];
const parseMs: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  let startedMs = performance.now();
  decodeRecording(recording);
  const decoded = performance.now() - startedMs;
  startedMs = performance.now();
  for (const range of recording.ranges) {
    for (const body of range.bodies) {
      for (const line of Buffer.from(body.bytes).toString('utf8').split('\n'))
        if (line !== '') JSON.parse(line);
    }
  }
  const parsed = performance.now() - startedMs;
  // the first rounds compile
  if (round >= 5) {
    decodeMs.push(decoded);
    parseMs.push(parsed);
  }
}
const ratios = decodeMs.map((ms, i) => (parseMs[i] ?? 0) / ms);
console.log(
  `decode       ${median(decodeMs).toFixed(1)} ms for ${recording.blocks} blocks, ${(recording.byteLength / 1e6).toFixed(1)} MB`,
);
console.log(`JSON.parse   ${median(parseMs).toFixed(1)} ms`);
console.log(`ratio        ${median(ratios).toFixed(2)} (JSON.parse's time ÷ decode's)`);
