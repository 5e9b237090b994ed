import type { ErrorRecord } from 'strata-kit/errors';
import type { StepWatch } from '../core/steps.ts';
import type { DecodedRange } from '../decode/range.ts';
import type { BadBlockList } from '../store/bad-blocks.ts';
import type { Checkpoint } from '../store/checkpoints.ts';
import type { StepBack } from '../store/recovery.ts';
import type { ConfiguredDerivation } from './derive-options.ts';
import type { ModulesState } from './derive-stage.ts';
import type { RederiveReport } from './rederive.ts';

/** What main and the writer thread say to each other, beside the store's proxy port. */

export interface WriterLimits {
  readonly commitBlocks: number;
  readonly commitBytes: number;
  readonly commitMs: number;
}

export interface WriterSetup {
  readonly spoolFolder: string;
  readonly limits: WriterLimits;
  /** Whether an insert waits until its rows are on the disk; not, when left out. */
  readonly isDurable?: boolean;
  /** Whether no other process can write into the store (StoreFactory.isExclusive); false when left out. */
  readonly isAlone?: boolean;
  /** How long a generation that was replaced stays for those who still read it; 2,000 by default. */
  readonly dropAfterMs?: number;
  /** Modules are off where it is left out. */
  readonly derive?: DeriveSetup;
  /** A test's. */
  readonly steps?: StepWatch;
}

/** What the writer's modules need to know. */
export interface DeriveSetup extends ConfiguredDerivation {
  /** Whether modules derive although the store does not begin with the chain's first block. */
  readonly isForced: boolean;
  /** Files of modules that lie outside of Strata. */
  readonly modulePaths: readonly string[];
}

export type ToWriter =
  | {
      readonly kind: 'range';
      readonly range: DecodedRange;
      readonly chainHeight: number;
      readonly flush: boolean;
    }
  | { readonly kind: 'flush' }
  /** All modules where none is named. */
  | { readonly kind: 'rederive'; readonly module: string | undefined }
  | { readonly kind: 'stop-rederiving' }
  | { readonly kind: 'finish' };

/** A commit as others need to know it. Hash is upper-case hex. */
export interface CommitReport {
  readonly height: number;
  readonly firstHeight: number;
  readonly blockHash: string;
  readonly blockTimeNs: bigint;
  readonly chainHeight: number;
  readonly blocks: number;
  readonly events: number;
  readonly txs: number;
  /** Heights of blocks that were kept although their results could not be used. */
  readonly badBlocks: readonly number[];
  /** What the checkpoint says: generations by module, and how many rows these tables have. */
  readonly checkpoint: {
    readonly generations: ReadonlyMap<string, number>;
    readonly driftRows: number;
    readonly badBlockRows: number;
  };
  readonly rawBytes: number;
  readonly nativeBytes: number;
  /** From the commit's first range to its beginning. */
  readonly gatherMs: number;
  readonly durationMs: number;
}

/** The store as the writer has opened it. */
export interface OpenedStore {
  readonly position: StorePosition | undefined;
  /** Rows above the checkpoint that were deleted. */
  readonly deletedRows: number;
  readonly stepBack: StepBack | undefined;
  readonly modules: ModulesState;
  readonly badBlocks: BadBlockList;
  /** Modules that were derived from stored facts on the way. */
  readonly rederived: RederiveReport | undefined;
}

/** Where the store stands when the writer has opened it. */
export interface StorePosition {
  readonly height: number;
  readonly firstHeight: number;
  readonly blockHash: string;
  readonly blockTimeNs: bigint;
  readonly results: Checkpoint['results'];
}

export type FromWriter =
  | { readonly kind: 'opened'; readonly opened: OpenedStore }
  | { readonly kind: 'committed'; readonly commit: CommitReport }
  /** With the first commit of an empty store. */
  | { readonly kind: 'modules'; readonly modules: ModulesState }
  /** How far a derivation from stored facts is, also before the store is opened. */
  | { readonly kind: 'rederiving'; readonly report: RederiveReport }
  /** Rows of a new generation count from now on; those before go after WriterSetup.dropAfterMs. */
  | { readonly kind: 'switched' }
  | {
      readonly kind: 'rederived';
      readonly outcome: { readonly report: RederiveReport } | { readonly error: ErrorRecord };
    }
  | { readonly kind: 'finished' }
  | { readonly kind: 'failed'; readonly error: ErrorRecord };
