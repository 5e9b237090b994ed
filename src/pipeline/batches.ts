import type { TableBlock } from '../core/table.ts';
import { type BlockHeader, type DecodedRange, lastHeader } from '../decode/range.ts';
import type { WriterLimits } from './messages.ts';
import { createSpoolBatch, type SpoolBatch } from './spool.ts';

/** Ranges that become one commit: their rows are in files, the rest is what a commit reports. */
export interface Batch {
  readonly spool: SpoolBatch;
  readonly firstHeight: number;
  readonly startedMs: number;
  readonly last: BlockHeader;
  readonly blocks: number;
  readonly events: number;
  readonly txs: number;
  /** Heights of blocks that were kept although their results could not be used. */
  readonly badBlocks: readonly number[];
  readonly rawBytes: number;
  readonly nativeBytes: number;
}

/** Gathers ranges into batches. */
export interface Batches {
  /** Whether no batch waits for its commit. */
  isEmpty(): boolean;
  /**
   * Adds a range to the open batch. A batch ends before a bad block, so that the store can be taken back to the block
   * before it; bad blocks that follow each other share one.
   */
  add(range: DecodedRange, derived: readonly TableBlock[]): void;
  /** Makes the open batch due. */
  flush(): void;
  /** The next batch that is due, which is no longer held here. */
  takeDue(): Batch | undefined;
  /** Until the open batch is due by its age; undefined without one. */
  dueInMs(): number | undefined;
}

type OpenBatch = { -readonly [Name in keyof Batch]: Batch[Name] } & { badBlocks: number[] };

export function createBatches(spoolFolder: string, limits: WriterLimits): Batches {
  let open: OpenBatch | undefined;
  /** Those that take no more ranges, in order; they are committed before `open`. */
  const closed: Batch[] = [];
  let sequence = 0;
  let isFlushing = false;

  const dueInMs = (): number | undefined => {
    if (open === undefined) return undefined;
    const isFull = isFlushing || open.blocks >= limits.commitBlocks || open.nativeBytes >= limits.commitBytes;
    return isFull ? 0 : open.startedMs + limits.commitMs - Date.now();
  };

  const begin = (range: DecodedRange): OpenBatch => ({
    spool: createSpoolBatch(spoolFolder, sequence++),
    firstHeight: range.fromHeight,
    startedMs: Date.now(),
    last: lastHeader(range),
    blocks: 0,
    events: 0,
    txs: 0,
    badBlocks: [],
    rawBytes: 0,
    nativeBytes: 0,
  });

  return {
    isEmpty: () => open === undefined && closed.length === 0,
    add(range, derived) {
      const { badBlocks = [] } = range;
      if (open !== undefined && badBlocks.length > 0 && open.badBlocks.at(-1) !== open.last.height) {
        closed.push(open);
        open = undefined;
      }
      open ??= begin(range);
      for (const block of [...range.tables, ...derived]) {
        open.spool.append(block);
        open.nativeBytes += block.native.byteLength;
      }
      open.last = lastHeader(range);
      open.rawBytes += range.rawBytes;
      open.badBlocks.push(...badBlocks.map(({ height }) => height));
      for (const header of range.headers) {
        open.blocks++;
        open.events += header.eventCount;
        open.txs += header.txCount;
      }
    },
    flush() {
      if (open !== undefined) isFlushing = true;
    },
    takeDue() {
      const first = closed.shift();
      if (first !== undefined) return first;
      const waitMs = dueInMs();
      if (waitMs === undefined || waitMs > 0) return undefined;
      const due = open;
      open = undefined;
      isFlushing = false;
      return due;
    },
    dueInMs,
  };
}
