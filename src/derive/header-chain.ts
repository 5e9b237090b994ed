import { StrataError } from 'strata-kit/errors';

/** What of a block's header chains it to its parent. Hashes are upper-case hex. */
export interface ChainedHeader {
  readonly height: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly chainId: string;
}

export interface ChainPosition {
  readonly height: number;
  readonly hash: string;
  /** What the next header's last_results_hash and app_hash must be, where they are known. */
  readonly resultsHash?: string;
  readonly resultsAppHash?: string;
}

/**
 * Checks that headers follow `last` and one another: height + 1 and parent hash = hash. Returns the last header's
 * position. Nothing is known of the parent of the first block of all (`last` undefined).
 *
 * Errors: parent_mismatch with the height; not retryable here, since the door cannot know whether the node or the
 * chain changed its mind.
 */
export function followHeaders(
  last: ChainPosition | undefined,
  headers: readonly ChainedHeader[],
): ChainPosition | undefined {
  let position = last;
  for (const header of headers) {
    if (position !== undefined) {
      if (header.height !== position.height + 1) {
        throw new StrataError(
          'parent_mismatch',
          `block ${header.height} came after block ${position.height}`,
          {
            height: header.height,
          },
        );
      }
      if (header.parentHash !== position.hash) {
        throw new StrataError(
          'parent_mismatch',
          `block ${header.height} names ${header.parentHash || 'no block'} as its parent, but block ${position.height} is ${position.hash}`,
          { height: header.height },
        );
      }
    }
    position = { height: header.height, hash: header.hash };
  }
  return position;
}
