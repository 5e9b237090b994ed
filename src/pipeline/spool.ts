import { closeSync, mkdirSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { TableBlock } from '../core/table.ts';

/** The Native files of one commit: one a table, each a sequence of blocks. */
export interface SpoolBatch {
  append(block: TableBlock): void;
  /** Files in no order; closed, ready to be inserted. */
  seal(): ReadonlyMap<string, SpoolFile>;
  remove(): void;
}

export interface SpoolFile {
  readonly path: string;
  readonly rows: number;
  readonly bytes: number;
}

interface OpenFile {
  readonly path: string;
  readonly descriptor: number;
  rows: number;
  bytes: number;
}

export function createSpoolBatch(folder: string, sequence: number | string): SpoolBatch {
  const files = new Map<string, OpenFile>();
  return {
    append(block) {
      let file = files.get(block.table);
      if (file === undefined) {
        const path = join(folder, `${sequence}-${block.table}.native`);
        file = { path, descriptor: openSync(path, 'w'), rows: 0, bytes: 0 };
        files.set(block.table, file);
      }
      writeAll(file.descriptor, block.native);
      file.rows += block.rows;
      file.bytes += block.native.byteLength;
    },
    seal() {
      for (const file of files.values()) closeSync(file.descriptor);
      return files;
    },
    remove() {
      for (const file of files.values()) rmSync(file.path, { force: true });
    },
  };
}

/** Files of a process that was killed belong to no commit. */
export function clearSpool(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    if (name.endsWith('.native')) rmSync(join(folder, name), { force: true });
  }
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(descriptor, bytes, written, bytes.length - written);
  }
}
