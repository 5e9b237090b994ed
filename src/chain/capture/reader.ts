import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readIndexedBlocks } from './blocks-indexed.ts';
import { readWholeBlocks } from './blocks-whole.ts';
import { captureInvalid } from './capture-invalid.ts';
import {
  BLOCKS_FILE,
  type CaptureMeta,
  type RecordedQuery,
  readDescriptors,
  readIndex,
  readMeta,
  readQueries,
} from './format.ts';

/** The lines of a capture, however they lie on disk. */
export interface CaptureBlocks {
  readonly firstHeight: number;
  readonly lastHeight: number;
  /** The lines of heights from..to, both included and present, each with its line feed. */
  readLines(fromHeight: number, toHeight: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

export interface Capture {
  /** Absolute. */
  readonly folder: string;
  readonly meta: CaptureMeta;
  readonly queries: readonly RecordedQuery[];
  /** FileDescriptorSet bytes. */
  readonly descriptors: Uint8Array | undefined;
  readonly blocks: CaptureBlocks;
}

/**
 * Opens a capture. With blocks.index.json only what is asked for is read; without it the blocks are unpacked
 * once into memory. Errors: capture_invalid with what is wrong and where.
 */
export async function openCapture(folder: string): Promise<Capture> {
  const path = resolve(folder);
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw captureInvalid(path, 'there is no such folder');
  const [meta, queries, descriptors, index] = await Promise.all([
    readMeta(path),
    readQueries(path),
    readDescriptors(path),
    readIndex(path),
  ]);
  const file = join(path, BLOCKS_FILE);
  const blocks =
    index === undefined
      ? await readWholeBlocks(path, file, meta.head)
      : await readIndexedBlocks(path, file, index);
  return { folder: path, meta, queries, descriptors, blocks };
}
