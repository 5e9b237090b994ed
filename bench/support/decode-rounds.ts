import { parentPort, workerData } from 'node:worker_threads';
import { decodeRecording, loadRecording } from './recording.ts';

/** Times of rounds over the recording, in ms: decode, and utf8 + JSON.parse of the same bytes. */
export interface DecodeRounds {
  readonly blocks: number;
  readonly decodeMs: readonly number[];
  readonly parseMs: readonly number[];
}

/** The first rounds compile. */
const WARM_UP_ROUNDS = 5;

const { rounds } = workerData as { readonly rounds: number };
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
parentPort?.postMessage({ blocks: recording.blocks, decodeMs, parseMs } satisfies DecodeRounds);
