import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** LMDB's own, at byte 24 of its first two pages. */
const MAGIC = 0xbeefc0de;
const META = { offset: 24, bytes: 136 } as const;
/** Within a meta: the page size, and the highest page in use. */
const PAGE_SIZE_AT = 24;
const LAST_PAGE_AT = 120;

/**
 * Looks whether a file of LMDB is one and is whole: LMDB maps it into memory, so that a file that is cut off or another
 * ends the process without a word. A file that is missing or empty is fine.
 * Errors: an Error that says what is wrong; those of the file system.
 */
export function checkDataFile(path: string): void {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  try {
    const { size } = fstatSync(file);
    if (size === 0) return;
    const first = readMeta(file, META.offset);
    if (first === undefined) throw new Error(`${path} is no file of a chain`);
    const second = readMeta(file, first.pageSize + META.offset);
    // the older of both counts: after a power cut the newer may name pages that never came to the disk
    const pages = second && (first.lastPage < second.lastPage ? first : second).lastPage + 1n;
    if (pages === undefined || BigInt(size) < pages * BigInt(first.pageSize))
      throw new Error(`${path} is cut off at ${size} bytes`);
  } finally {
    closeSync(file);
  }
}

function readMeta(file: number, position: number): { pageSize: number; lastPage: bigint } | undefined {
  const meta = Buffer.alloc(META.bytes);
  if (readSync(file, meta, 0, META.bytes, position) < META.bytes || meta.readUInt32LE(0) !== MAGIC)
    return undefined;
  return { pageSize: meta.readUInt32LE(PAGE_SIZE_AT), lastPage: meta.readBigUInt64LE(LAST_PAGE_AT) };
}
