import { mkdirSync } from 'node:fs';
import { splitRange } from '../../src/chain/envelope.ts';
import { createRpcSource } from '../../src/chain/rpc/source.ts';
import type { DecodedRange } from '../../src/decode/range.ts';
import type { WriterLimits } from '../../src/pipeline/messages.ts';
import { createSpoolBatch, type SpoolFile } from '../../src/pipeline/spool.ts';
import { RANGE_BLOCKS } from './indexing.ts';
import { loadRecording } from './recording.ts';

/** Heights 1 to `blocks` of a node as the decode workers hand them over. All in memory: about 47 kB a block. */
export async function decodeRanges(
  url: string,
  blocks: number,
  rangeBlocks = RANGE_BLOCKS,
): Promise<readonly DecodedRange[]> {
  const source = createRpcSource({ urls: [url] });
  const { decoder } = await loadRecording();
  const ranges: DecodedRange[] = [];
  for (let from = 1; from <= blocks; from += rangeBlocks) {
    const raw = await source.fetch(from, Math.min(blocks, from + rangeBlocks - 1));
    ranges.push(decoder.decodeRange(splitRange(raw), raw.byteLength));
  }
  await source.close();
  return ranges;
}

/** A commit's rows as Native files, one a table, ready to be inserted. */
export interface ReadyCommit {
  readonly rawBytes: number;
  readonly files: ReadonlyMap<string, SpoolFile>;
}

/** The ranges as the writer would spool them: commits of the limits' blocks or bytes. */
export async function spoolCommits(
  ranges: readonly DecodedRange[],
  folder: string,
  limits: WriterLimits,
): Promise<readonly ReadyCommit[]> {
  mkdirSync(folder, { recursive: true });
  const commits: ReadyCommit[] = [];
  let batch = createSpoolBatch(folder, 0);
  let [blocks, rawBytes, nativeBytes] = [0, 0, 0];
  const seal = async (): Promise<void> => {
    commits.push({ rawBytes, files: await batch.seal() });
    batch = createSpoolBatch(folder, commits.length);
    [blocks, rawBytes, nativeBytes] = [0, 0, 0];
  };
  for (const range of ranges) {
    for (const table of range.tables) batch.append(table);
    blocks += range.headers.length;
    rawBytes += range.rawBytes;
    nativeBytes += nativeBytesOf(range);
    if (blocks >= limits.commitBlocks || nativeBytes >= limits.commitBytes) await seal();
  }
  if (blocks > 0) await seal();
  return commits;
}

export function nativeBytesOf(range: DecodedRange): number {
  return range.tables.reduce((sum, { native }) => sum + native.byteLength, 0);
}
