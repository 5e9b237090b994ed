import { closeSync, mkdirSync, openSync, readdirSync, rmSync, writev } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TableBlock } from '../core/table.ts';
import { spoolFailed } from '../store/disk.ts';

/**
 * The Native files of one commit: one a table, each a sequence of blocks. Node's pool of threads writes them, so that
 * the writer's own thread copies no rows.
 */
export interface SpoolBatch {
  /** Takes a block; its bytes must not change any more. A failed write is seal's error. */
  append(block: TableBlock): void;
  /**
   * Waits until everything is written and closes the files, which are in no order.
   * Errors: disk_full, store_query_failed where a file cannot be written; no file is left then.
   */
  seal(): Promise<ReadonlyMap<string, SpoolFile>>;
  /** Of a batch that is sealed. */
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
  /** Blocks that no write has taken yet. */
  waiting: Uint8Array[];
  /** Undefined while nothing is written. */
  writing: Promise<void> | undefined;
}

const writeBuffers = promisify(writev);

export function createSpoolBatch(folder: string, sequence: number | string): SpoolBatch {
  const files = new Map<string, OpenFile>();
  let failure: { readonly error: unknown } | undefined;

  const remove = (): void => {
    for (const file of files.values()) rmSync(file.path, { force: true });
  };

  const write = async (file: OpenFile): Promise<void> => {
    while (file.waiting.length > 0 && failure === undefined) {
      const buffers = file.waiting;
      file.waiting = [];
      try {
        await writeAll(file.descriptor, buffers);
      } catch (error) {
        failure ??= { error };
      }
    }
    file.writing = undefined;
  };

  const open = (table: string): OpenFile | undefined => {
    const path = join(folder, `${sequence}-${table}.native`);
    try {
      const descriptor = openSync(path, 'w');
      const file = { path, descriptor, rows: 0, bytes: 0, waiting: [], writing: undefined };
      files.set(table, file);
      return file;
    } catch (error) {
      failure ??= { error };
      return undefined;
    }
  };

  return {
    append({ table, rows, native }) {
      const file = files.get(table) ?? open(table);
      if (file === undefined) return;
      file.rows += rows;
      file.bytes += native.byteLength;
      file.waiting.push(native);
      file.writing ??= write(file);
    },
    async seal() {
      for (const file of files.values()) {
        await file.writing;
        closeSync(file.descriptor);
      }
      if (failure === undefined) return files;
      remove();
      throw spoolFailed(failure.error);
    },
    remove,
  };
}

/** Files of a process that was killed belong to no commit. */
export function clearSpool(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    if (name.endsWith('.native')) rmSync(join(folder, name), { force: true });
  }
}

async function writeAll(descriptor: number, buffers: readonly Uint8Array[]): Promise<void> {
  let rest = buffers;
  while (rest.length > 0) {
    const { bytesWritten } = await writeBuffers(descriptor, rest);
    rest = without(rest, bytesWritten);
  }
}

/** Buffers without their first `count` bytes. */
function without(buffers: readonly Uint8Array[], count: number): readonly Uint8Array[] {
  let left = count;
  for (const [at, buffer] of buffers.entries()) {
    if (left < buffer.byteLength) return [buffer.subarray(left), ...buffers.slice(at + 1)];
    left -= buffer.byteLength;
  }
  return [];
}
