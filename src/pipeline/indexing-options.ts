import type { Clock } from 'strata-kit/clock';
import type { HeightRanges } from 'strata-kit/height-ranges';
import type { ChainParameters } from 'strata-kit/parameters';
import type { BlockSource } from '../chain/source.ts';
import type { StepWatch } from '../core/steps.ts';
import type { VerifyMode } from '../core/verify-mode.ts';
import type { StoreFactory } from '../store/store.ts';
import type { HeadPace } from './head-pace.ts';
import type { IndexingHealth } from './health.ts';
import type { IndexingLog } from './indexing-log.ts';
import type { CommitReport, WriterLimits } from './messages.ts';
import type { Threads } from './threads.ts';

export interface IndexingOptions {
  readonly source: BlockSource;
  readonly stores: StoreFactory;
  /** The chain id that the source must have; undefined takes the source's. */
  readonly chainId: string | undefined;
  readonly fromHeight: number | undefined;
  readonly toHeight: number | undefined;
  readonly workers: number;
  readonly rangeBlocks: number;
  readonly memoryBytes: number;
  readonly commit: WriterLimits;
  /** Each insert waits until its rows are on the disk. */
  readonly isDurable?: boolean;
  readonly parameters: ChainParameters;
  /** False: no module derives, whatever the store holds. */
  readonly hasModules?: boolean;
  /** Descriptor sets for types that the chain does not describe (given-descriptors.ts); none by default. */
  readonly givenDescriptors?: readonly Uint8Array[];
  /** Files of modules that lie outside of Strata. */
  readonly modulePaths?: readonly string[];
  /** Modules derive although the store does not begin with the chain's first block. */
  readonly forceModules?: boolean;
  /** How long nodes that do not answer are waited for before the first head; 0 by default. */
  readonly nodeWaitMs?: number;
  /** The folder in which the bytes of every indexed block are kept; none by default. Needs a source that is a node. */
  readonly keepRaw?: string | undefined;
  /** Whether blocks are compared with the hashes that bind them; auto by default. */
  readonly verify?: VerifyMode;
  /** Where a block is kept although no node gives results of it that can be used; nowhere by default. */
  readonly acceptBadBlocks?: HeightRanges;
  /** How often the head is looked at; for each new block where it is left out. */
  readonly pace?: HeadPace | undefined;
  readonly clock: Clock;
  readonly log: IndexingLog;
  /** Gets the state of the run; where none is given one is made, for its log lines. */
  readonly health?: IndexingHealth;
  readonly onCommit: (commit: CommitReport) => void;
  readonly onHead: (chainHeight: number) => void;
  /** Modules have been derived again, and their new rows count. */
  readonly onSwitched?: () => void;
  readonly signal: AbortSignal;
  /** A test's. */
  readonly steps?: StepWatch | undefined;
  /** Worker threads by default. */
  readonly threads?: Threads;
}
