import type { Snapshot } from '../../../src/api/route.ts';
import { MODULES } from '../../../src/modules/modules.ts';

/** What a request sees of a store that was indexed once, as of a height at or below its checkpoint. */
export function snapshotAt(height: number, latestBlockTimeNs = 0n): Snapshot {
  return {
    indexedHeight: height,
    firstHeight: 1,
    latestBlockTimeNs,
    chainHeight: height,
    generations: new Map(MODULES.map(({ name }) => [name, 1])),
    reconciliations: 0,
    driftTotal: 0,
    badBlocks: { count: 0, heights: [] },
  };
}
