import type { Registry } from 'prom-client';
import { addGauge } from './gauge.ts';

/** How far the store is, and the chain. */
export interface Position {
  /** 0 for a store without a commit. */
  readonly indexedHeight: number;
  /** As it was last told; 0 when it never was. */
  readonly chainHeight: number;
  /** Of the block at indexedHeight. */
  readonly blockTimeNs: bigint;
}

/** The nodes report a lower head than before, or one below what is indexed. */
export interface HeadBackShown {
  readonly from: number;
  readonly to: number;
}

export function lagBlocks({ indexedHeight, chainHeight }: Position): number {
  return Math.max(0, chainHeight - indexedHeight);
}

/** Seconds since the newest indexed block was made; 0 for a store without a commit. */
export function blockAgeSeconds({ indexedHeight, blockTimeNs }: Position, nowMs: number): number {
  return indexedHeight === 0 ? 0 : Math.max(0, nowMs - Number(blockTimeNs / 1_000_000n)) / 1_000;
}

/**
 * Heights and lag, read when they are asked for. Lag in seconds is the age of the newest indexed block while there
 * are newer ones, and 0 where the store has all that the chain has.
 */
export function addPositionMetrics(registry: Registry, position: () => Position, nowMs: () => number): void {
  const gauge = (name: string, help: string, value: (position: Position) => number): void =>
    addGauge(registry, name, help, () => value(position()));
  gauge('strata_indexed_height', 'Height of the newest checkpoint', (now) => now.indexedHeight);
  gauge('strata_chain_height', 'Height of the chain as the nodes last told it', (now) => now.chainHeight);
  gauge('strata_lag_blocks', 'Blocks that the chain has and the store has not', lagBlocks);
  gauge(
    'strata_lag_seconds',
    'Age of the newest indexed block while the chain has newer ones, else 0',
    (now) => (lagBlocks(now) === 0 ? 0 : blockAgeSeconds(now, nowMs())),
  );
  gauge('strata_block_age_seconds', 'Age of the newest indexed block', (now) =>
    blockAgeSeconds(now, nowMs()),
  );
}

/** Of a process that indexes. */
export function addHeadBackMetrics(registry: Registry, headBack: () => HeadBackShown | null): void {
  addGauge(
    registry,
    'strata_head_back_blocks',
    'Blocks by which the head that the nodes report is lower than it was, 0 while it is not',
    () => {
      const back = headBack();
      return back === null ? 0 : back.from - back.to;
    },
  );
}
