import type { Surroundings } from 'strata-kit/cli/context';
import { decimal, wholeNumber } from 'strata-kit/cli/kinds';
import { type Given, setting } from 'strata-kit/cli/setting';

/** How much of the machine indexing takes. How it cuts its work into ranges and commits follows from that. */

const group = 'Tuning';
const BYTES_PER_MB = 1_000_000;

export const workers = setting('workers', wholeNumber(1, 256), {
  group,
  text: 'decode threads (default: one a core)',
});

export const memoryMb = setting('memoryMb', wholeNumber(8, 1_000_000, 'MB', '<mb>'), {
  group,
  text: 'megabytes in flight',
  default: '256',
});

const internal = { group, places: ['variable'], isInternal: true } as const;

/** Of tests: a commit ends at fewer blocks. */
export const testCommitBlocks = setting('testCommitBlocks', wholeNumber(1, 100_000), {
  ...internal,
  text: 'blocks a commit',
  default: '4000',
});

/** Of tests: a commit ends earlier or later. */
export const testCommitSeconds = setting('testCommitSeconds', decimal(0.1, 600, 'seconds', '<s>'), {
  ...internal,
  text: 'seconds a commit',
  default: '2',
});

/** Of tests: blocks that are fetched at once. */
export const testRangeBlocks = setting('testRangeBlocks', wholeNumber(1, 1_000), {
  ...internal,
  text: 'blocks fetched at once',
  default: '50',
});

export const TUNING = [workers, memoryMb, testCommitBlocks, testCommitSeconds, testRangeBlocks] as const;

/** A commit ends at whichever of its three limits comes first. */
export interface Tuning {
  readonly commitBlocks: number;
  readonly commitBytes: number;
  readonly commitMs: number;
  readonly rangeBlocks: number;
  /** Bytes fetched, decoding, decoded and spooled, not yet committed. */
  readonly memoryBytes: number;
}

const COMMIT_BYTES = 128 * BYTES_PER_MB;

export const DEFAULT_TUNING: Tuning = {
  commitBlocks: testCommitBlocks.preset,
  commitBytes: COMMIT_BYTES,
  commitMs: testCommitSeconds.preset * 1_000,
  rangeBlocks: testRangeBlocks.preset,
  memoryBytes: memoryMb.preset * BYTES_PER_MB,
};

export function tuningOf(
  given: Given<typeof TUNING>,
  { cores }: Surroundings,
): { readonly workers: number; readonly tuning: Tuning } {
  return {
    workers: given.workers ?? cores,
    tuning: {
      commitBlocks: given.testCommitBlocks,
      commitBytes: COMMIT_BYTES,
      commitMs: Math.round(given.testCommitSeconds * 1_000),
      rangeBlocks: given.testRangeBlocks,
      memoryBytes: given.memoryMb * BYTES_PER_MB,
    },
  };
}
