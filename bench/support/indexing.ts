import type { BlockSource } from '../../src/chain/source.ts';
import { systemClock } from '../../src/core/clock.ts';
import { parseParameters } from '../../src/core/parameters.ts';
import { openIndexing } from '../../src/pipeline/indexing.ts';
import type { StoreFactory } from '../../src/store/store.ts';

export const RANGE_BLOCKS = 50;

/** Indexes heights 1 to toHeight with the command line's defaults; resolves when everything is committed. */
export async function indexAll(
  source: BlockSource,
  stores: StoreFactory,
  toHeight: number,
  workers: number,
): Promise<void> {
  // nothing configured: what the chain tells counts
  const parsed = parseParameters({});
  if ('problem' in parsed) throw new Error(parsed.problem);
  const indexing = await openIndexing({
    source,
    stores,
    chainId: undefined,
    fromHeight: 1,
    toHeight,
    workers,
    rangeBlocks: RANGE_BLOCKS,
    memoryBytes: 256_000_000,
    commit: { commitBlocks: 2_000, commitBytes: 64_000_000, commitMs: 2_000 },
    parameters: parsed.parameters,
    clock: systemClock,
    log: { info: () => undefined, warn: (facts, text) => console.error(text, facts) },
    signal: new AbortController().signal,
    onCommit: () => undefined,
    onHead: () => undefined,
  });
  await indexing.run();
}
