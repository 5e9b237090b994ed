import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, rename, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { bytesToLatin1 } from 'strata-kit/bytes';
import { type Clock, systemClock } from 'strata-kit/clock';
import { StrataError } from 'strata-kit/errors';
import type { BlockText } from '../envelope.ts';
import { captureInvalid } from './capture-invalid.ts';
import {
  BLOCKS_FILE,
  INDEX_FILE,
  INDEX_TAIL,
  type IndexMember,
  META_FILE,
  printIndex,
  readIndex,
  readMeta,
  readOptional,
} from './format.ts';

const MEMBER_HEIGHTS = 100;
const MEMBER_BYTES = 4_000_000;
/** The index names what is on the disk, and waiting for the disk takes milliseconds. */
const INDEX_EVERY_MS = 1_000;

export interface CaptureWriter {
  /** The height that append expects next; undefined while the capture is empty. */
  nextHeight(): number | undefined;
  /** The lowest height held in the file; undefined while there is none. */
  firstHeight(): number | undefined;
  /** Appends heights in order, their texts verbatim. Durable once a later flush() or close() resolves. */
  append(blocks: readonly BlockText[]): Promise<void>;
  /** Writes what is held as a member and the index after it. */
  flush(): Promise<void>;
  /** Flushes; the files are closed also where that fails. */
  close(): Promise<void>;
}

/**
 * Opens a capture folder for appending, or makes one. Bytes that the index does not name (a crash while a member
 * was written) are cut off. Work and memory do not grow with the length of the capture. Errors: capture_invalid for a capture of another chain, without an index, or with
 * blocks shorter than its index. `onLines` is given all lines in their order, before they are packed.
 */
export async function openCaptureWriter(
  folder: string,
  chainId: string,
  clock: Clock = systemClock,
  onLines: (lines: Uint8Array) => void = () => {},
): Promise<CaptureWriter> {
  const path = resolve(folder);
  await mkdir(path, { recursive: true });
  await checkChain(path, chainId);
  const members = (await readIndex(path)) ?? (await startIndex(path));
  const file = await open(join(path, BLOCKS_FILE), constants.O_RDWR | constants.O_CREAT);
  const last = members.at(-1);
  let offset = last === undefined ? 0 : last.offset + last.length;
  const { size } = await file.stat();
  if (size < offset) {
    await file.close();
    throw captureInvalid(path, `the blocks are ${size} bytes long, the index needs ${offset}`);
  }
  await file.truncate(offset);
  const index = await openIndex(path, members);

  let first = members[0]?.fromHeight;
  let unindexed: IndexMember[] = [];
  let held: string[] = [];
  let heldBytes = 0;
  let next = last === undefined ? undefined : last.toHeight + 1;
  let indexWrittenMs = clock.nowMs();

  async function writeMember(): Promise<void> {
    if (next === undefined || held.length === 0) return;
    const lines = Buffer.from(held.join(''), 'latin1');
    onLines(lines);
    const packed = await promisify(gzip)(lines);
    await writeAll(file, packed, offset);
    const fromHeight = next - held.length;
    first ??= fromHeight;
    unindexed.push({ fromHeight, toHeight: next - 1, offset, length: packed.length });
    offset += packed.length;
    held = [];
    heldBytes = 0;
  }

  async function writeIndex(): Promise<void> {
    if (unindexed.length === 0) return;
    await file.datasync();
    await index.append(unindexed);
    unindexed = [];
    indexWrittenMs = clock.nowMs();
  }

  async function flush(): Promise<void> {
    await writeMember();
    await writeIndex();
  }

  return {
    nextHeight: () => next,
    firstHeight: () => first,
    append: async (blocks) => {
      for (const block of blocks) {
        if (next !== undefined && block.height !== next) {
          throw new StrataError(
            'capture_invalid',
            `height ${block.height} was appended where ${next} is next`,
            {
              height: block.height,
            },
          );
        }
        const line = printLine(block);
        held.push(line);
        heldBytes += line.length;
        next = block.height + 1;
        if (held.length >= MEMBER_HEIGHTS || heldBytes >= MEMBER_BYTES) await writeMember();
      }
      if (clock.nowMs() - indexWrittenMs >= INDEX_EVERY_MS) await writeIndex();
    },
    flush,
    close: async () => {
      try {
        await flush();
      } finally {
        await index.close();
        await file.close();
      }
    },
  };
}

interface IndexFile {
  /** On the disk once it resolves. A kill meanwhile leaves the lines before whole. */
  append(members: readonly IndexMember[]): Promise<void>;
  close(): Promise<void>;
}

async function openIndex(folder: string, members: readonly IndexMember[]): Promise<IndexFile> {
  const text = printIndex(members);
  // without a line that was cut short
  if ((await readOptional(folder, INDEX_FILE))?.toString('utf8') !== text) {
    await writeFileByRename(folder, INDEX_FILE, text);
  }
  const file = await open(join(folder, INDEX_FILE), 'r+');
  let end = Buffer.byteLength(text) - INDEX_TAIL.length;
  let isEmpty = members.length === 0;
  return {
    append: async (added) => {
      const lines = `${isEmpty ? '' : ',\n'}${added.map((member) => JSON.stringify(member)).join(',\n')}`;
      await writeAll(file, Buffer.from(`${lines}${INDEX_TAIL}`), end);
      await file.datasync();
      end += lines.length;
      isEmpty = false;
    },
    close: () => file.close(),
  };
}

/** Replaces a file so that a crash leaves the old or the new one, never a part. */
export async function writeFileByRename(
  folder: string,
  file: string,
  content: string | Uint8Array,
): Promise<void> {
  const part = join(folder, `${file}.part`);
  const handle = await open(part, 'w');
  try {
    await handle.writeFile(content);
    await handle.datasync();
  } finally {
    await handle.close();
  }
  await rename(part, join(folder, file));
}

async function checkChain(folder: string, chainId: string): Promise<void> {
  if ((await readOptional(folder, META_FILE)) === undefined) return;
  const meta = await readMeta(folder);
  if (meta.chainId !== chainId) {
    throw captureInvalid(folder, `it holds the chain ${meta.chainId}, the node serves ${chainId}`);
  }
}

/** Blocks without an index are a capture made elsewhere: what stands there is never cut. */
async function startIndex(folder: string): Promise<readonly IndexMember[]> {
  const found = await stat(join(folder, BLOCKS_FILE)).catch(() => undefined);
  if (found !== undefined && found.size > 0) {
    throw captureInvalid(folder, `it has no ${INDEX_FILE}, so nothing can be appended`);
  }
  await writeFileByRename(folder, INDEX_FILE, printIndex([]));
  return [];
}

/** A line feed between tokens (no node prints one) would end the line: it becomes a blank. */
function printLine({ height, block, results }: BlockText): string {
  return `{"height":${height},"block":${oneLine(block)},"block_results":${oneLine(bytesToLatin1(results))}}\n`;
}

function oneLine(text: string): string {
  return text.includes('\n') || text.includes('\r') ? text.replace(/[\r\n]/g, ' ') : text;
}

async function writeAll(file: FileHandle, bytes: Uint8Array, offset: number): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const result = await file.write(bytes, written, bytes.length - written, offset + written);
    written += result.bytesWritten;
  }
}
