import type { ErrorRecord } from '../core/errors.ts';
import type { DecodedRange } from '../decode/range.ts';

/** What main and the writer thread say to each other, beside the store's proxy port. */

export interface WriterLimits {
  readonly commitBlocks: number;
  readonly commitBytes: number;
  readonly commitMs: number;
}

export interface WriterSetup {
  readonly spoolFolder: string;
  readonly limits: WriterLimits;
}

export type ToWriter =
  | {
      readonly kind: 'range';
      readonly range: DecodedRange;
      readonly chainHeight: number;
      readonly flush: boolean;
    }
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
  readonly rawBytes: number;
  readonly nativeBytes: number;
  readonly durationMs: number;
}

/** Where the store stands when the writer has opened it. */
export interface StorePosition {
  readonly height: number;
  readonly firstHeight: number;
  readonly blockHash: string;
  readonly blockTimeNs: bigint;
}

export type FromWriter =
  | { readonly kind: 'opened'; readonly position: StorePosition | undefined; readonly repairedRows: number }
  | { readonly kind: 'committed'; readonly commit: CommitReport }
  | { readonly kind: 'finished' }
  | { readonly kind: 'failed'; readonly error: ErrorRecord };
