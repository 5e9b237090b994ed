import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { StrataError } from 'strata-kit/errors';
import { ownBytes } from 'strata-kit/own-bytes';
import { captureInvalid } from './capture-invalid.ts';
import { BLOCKS_FILE, INDEX_FILE } from './format.ts';
import type { CaptureBlocks } from './reader.ts';
import { MAX_WHOLE_BYTES, tooLarge } from './unpack.ts';

/**
 * A blocks.jsonl.gz without an index, unpacked once as a stream: one buffer and the offset of each line.
 * Errors: capture_invalid, also when it unpacks to more than `maxBytes`.
 */
export async function readWholeBlocks(
  folder: string,
  file: string,
  head: number,
  maxBytes = MAX_WHOLE_BYTES,
): Promise<CaptureBlocks> {
  const bytes = await unpack(folder, file, maxBytes);
  const offsets = lineOffsets(bytes);
  const firstHeight = heightAt(bytes, 0);
  if (firstHeight === undefined) throw captureInvalid(folder, 'line 1 of the blocks names no height');
  for (let i = 1; i < offsets.length; i++) {
    if (heightAt(bytes, offsets[i] as number) !== firstHeight + i) {
      throw captureInvalid(folder, `line ${i + 1} of the blocks is not that of height ${firstHeight + i}`);
    }
  }
  const lastHeight = firstHeight + offsets.length - 1;
  if (lastHeight !== head) {
    throw captureInvalid(folder, `the blocks end at height ${lastHeight}, meta.json says ${head}`);
  }
  return {
    firstHeight,
    lastHeight,
    readLines: async (fromHeight, toHeight) =>
      ownBytes([
        bytes.subarray(
          offsets[fromHeight - firstHeight],
          offsets[toHeight + 1 - firstHeight] ?? bytes.length,
        ),
      ]),
    close: async () => {},
  };
}

async function unpack(folder: string, file: string, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let byteLength = 0;
  const input = createReadStream(file);
  const unpacked = createGunzip();
  input.on('error', (error) => unpacked.destroy(error));
  try {
    for await (const chunk of input.pipe(unpacked) as AsyncIterable<Buffer>) {
      byteLength += chunk.length;
      if (byteLength > maxBytes) {
        throw tooLarge(folder, `${BLOCKS_FILE}, which has no ${INDEX_FILE},`, maxBytes);
      }
      chunks.push(chunk);
    }
  } catch (error) {
    input.destroy();
    if (error instanceof StrataError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const lines = chunks.reduce((sum, chunk) => sum + countLines(chunk), 0);
    throw captureInvalid(folder, `the blocks do not unpack after line ${lines}: ${reason}`, error);
  }
  return Buffer.concat(chunks);
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines++;
  return lines;
}

function lineOffsets(bytes: Buffer): readonly number[] {
  const offsets: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    offsets.push(at);
    const newline = bytes.indexOf(10, at);
    at = newline < 0 ? bytes.length : newline + 1;
  }
  return offsets;
}

/** The height that the line at `offset` begins with. */
function heightAt(bytes: Buffer, offset: number): number | undefined {
  const match = /^\{\s*"height"\s*:\s*"?(\d+)/.exec(bytes.toString('latin1', offset, offset + 40));
  return match === null ? undefined : Number(match[1]);
}
