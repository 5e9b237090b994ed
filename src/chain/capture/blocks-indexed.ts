import { type FileHandle, open } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import { ownBytes } from 'strata-kit/own-bytes';
import { captureInvalid } from './capture-invalid.ts';
import { BLOCKS_FILE, type IndexMember } from './format.ts';
import type { CaptureBlocks } from './reader.ts';
import { MAX_MEMBER_BYTES, unpackPart } from './unpack.ts';

/** Unpacked members kept, so that ranges smaller than a member do not unpack it again. */
const KEPT_MEMBERS = 4;

/** A blocks.jsonl.gz of which only the members that hold the asked heights are read. Errors: capture_invalid. */
export async function readIndexedBlocks(
  folder: string,
  file: string,
  index: readonly IndexMember[],
): Promise<CaptureBlocks> {
  const first = index[0];
  const last = index.at(-1);
  if (first === undefined || last === undefined) throw captureInvalid(folder, 'its index names no heights');
  const handle = await open(file, 'r').catch((error: unknown) => {
    throw captureInvalid(folder, 'the blocks cannot be read', error);
  });
  const { size } = await handle.stat();
  if (size < last.offset + last.length) {
    await handle.close();
    throw captureInvalid(
      folder,
      `the blocks are ${size} bytes long, the index needs ${last.offset + last.length}`,
    );
  }
  const kept = new LRUCache<number, Promise<Buffer>>({ max: KEPT_MEMBERS });

  function lines(member: IndexMember): Promise<Buffer> {
    const hit = kept.get(member.offset);
    if (hit !== undefined) return hit;
    const unpacked = unpackMember(folder, handle, member);
    kept.set(member.offset, unpacked);
    unpacked.catch(() => kept.delete(member.offset));
    return unpacked;
  }

  return {
    firstHeight: first.fromHeight,
    lastHeight: last.toHeight,
    readLines: async (fromHeight, toHeight) => {
      const parts: Buffer[] = [];
      for (let i = memberOf(index, fromHeight); i < index.length; i++) {
        const member = index[i] as IndexMember;
        if (member.fromHeight > toHeight) break;
        parts.push(cut(await lines(member), member, fromHeight, toHeight));
      }
      return ownBytes(parts);
    },
    close: () => handle.close(),
  };
}

async function unpackMember(folder: string, handle: FileHandle, member: IndexMember): Promise<Buffer> {
  const where = `heights ${member.fromHeight} to ${member.toHeight}`;
  const packed = Buffer.allocUnsafe(member.length);
  const { bytesRead } = await handle.read(packed, 0, member.length, member.offset);
  if (bytesRead !== member.length) throw captureInvalid(folder, `the blocks of ${where} are cut short`);
  return unpackPart(folder, `${BLOCKS_FILE}, ${where},`, packed, MAX_MEMBER_BYTES);
}

function memberOf(index: readonly IndexMember[], height: number): number {
  let low = 0;
  let high = index.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((index[middle] as IndexMember).toHeight < height) low = middle + 1;
    else high = middle;
  }
  return low;
}

function cut(lines: Buffer, member: IndexMember, fromHeight: number, toHeight: number): Buffer {
  let start = 0;
  for (let height = member.fromHeight; height < fromHeight; height++) start = lines.indexOf(10, start) + 1;
  if (toHeight >= member.toHeight) return lines.subarray(start);
  let end = start;
  for (let height = Math.max(fromHeight, member.fromHeight); height <= toHeight; height++) {
    end = lines.indexOf(10, end) + 1;
  }
  return lines.subarray(start, end);
}
