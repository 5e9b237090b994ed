import { systemClock } from 'strata-kit/clock';
import { parseParameters } from 'strata-kit/parameters';
import type { BlockSource } from '../../src/chain/source.ts';
import { openIndexing } from '../../src/pipeline/indexing.ts';
import type { CommitReport, WriterLimits } from '../../src/pipeline/messages.ts';
import { DEFAULT_TUNING } from '../../src/settings/tuning.ts';
import type { StoreFactory } from '../../src/store/store.ts';
import { isReferenceChain, referenceSection } from './reference-section.ts';

export const RANGE_BLOCKS = DEFAULT_TUNING.rangeBlocks;

/** The command line's defaults, as everything here. */
export const COMMIT_LIMITS: WriterLimits = {
  commitBlocks: DEFAULT_TUNING.commitBlocks,
  commitBytes: DEFAULT_TUNING.commitBytes,
  commitMs: DEFAULT_TUNING.commitMs,
};

/** Indexes heights 1 to toHeight with the command line's defaults; resolves when everything is committed. */
export async function indexAll(
  source: BlockSource,
  stores: StoreFactory,
  toHeight: number,
  workers: number,
  onCommit: (commit: CommitReport) => void = () => undefined,
  hasModules = true,
): Promise<void> {
  // nothing but what a chain does not tell: of the reference chain its market, of another one nothing
  const { chainId } = await source.head();
  const section = isReferenceChain(chainId) ? referenceSection() : {};
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
    memoryBytes: DEFAULT_TUNING.memoryBytes,
    commit: COMMIT_LIMITS,
    parameters: { ...parsed.parameters, ...section },
    hasModules,
    clock: systemClock,
    log: { info: () => undefined, warn: (facts, text) => console.error(text, facts) },
    signal: new AbortController().signal,
    onCommit,
    onHead: () => undefined,
  });
  await indexing.run();
}
