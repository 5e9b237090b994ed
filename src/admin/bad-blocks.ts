import type { Registry } from 'prom-client';
import { addGauge } from './gauge.ts';

/** Blocks that are kept although no node gave results that can be used. */
export interface BadBlocksShown {
  readonly count: number;
  /** The lowest ones. */
  readonly heights: readonly number[];
}

/** Of a process that has a store. */
export function addBadBlockMetrics(registry: Registry, badBlocks: () => BadBlocksShown): void {
  addGauge(
    registry,
    'strata_bad_blocks',
    'Blocks that are kept although no node gave results that can be used',
    () => badBlocks().count,
  );
}
