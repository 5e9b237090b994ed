import { StrataError } from 'strata-kit/errors';
import type { ChainLog } from '../chain/log.ts';
import type { VerifyMode } from '../core/verify-mode.ts';
import type { BlockHeader } from '../decode/range.ts';
import type { ChainPosition } from '../derive/header-chain.ts';

/** Decides what it means when a block does not fit the hashes that bind it. */
export interface BlockVerifier {
  /**
   * Checks the blocks of a range: each header and its txs against the block's hash, each block's results against the
   * next header, the first header against the results of `parent` where they are known.
   * Errors: block_refused with the height, retryable; DisprovedResults.
   */
  check(headers: readonly BlockHeader[], parent: ChainPosition | undefined): void;
  /** Whether `next` confirms the results of the block before it. */
  confirms(next: BlockHeader, before: BlockHeader): boolean;
}

export interface VerifierOptions {
  readonly mode: VerifyMode;
  /** The store's blocks fitted their hashes before. */
  readonly isProven: boolean;
  /** Whether asking again may bring other bytes. */
  readonly canAskAgain: boolean;
  readonly log: ChainLog;
  /** The first range of blocks has fitted. */
  readonly onProven: () => void;
}

/** In auto: so many equal looks show that blocks are of another kind, and not that an answer was wrong. */
const EQUAL_LOOKS = 3;
/** Heights whose looks are counted at once. */
const MAX_SUSPECTS = 1_000;

export function createBlockVerifier(options: VerifierOptions): BlockVerifier {
  const { mode, isProven, canAskAgain, log, onProven } = options;
  let state: 'undecided' | 'on' | 'off' =
    mode === 'never' ? 'off' : mode === 'always' || isProven ? 'on' : 'undecided';
  const suspects = new Map<number, { readonly print: string; readonly looks: number }>();

  /**
   * In auto, before any block has fitted: whether the chain's blocks are of another kind, as those of a recording whose
   * heights were changed: none of the range fits, and they come the same however often they are asked for.
   */
  const isOtherKind = (headers: readonly BlockHeader[], wrong: BlockHeader): boolean => {
    if (mode !== 'auto' || state !== 'undecided' || headers.some(({ isHashRight }) => isHashRight))
      return false;
    if (!canAskAgain) return true;
    const print = `${wrong.hash} ${wrong.ownHash}`;
    const before = suspects.get(wrong.height);
    const looks = before?.print === print ? before.looks + 1 : 1;
    if (suspects.size >= MAX_SUSPECTS) suspects.clear();
    suspects.set(wrong.height, { print, looks });
    return looks >= EQUAL_LOOKS;
  };

  return {
    check(headers, parent) {
      if (state === 'off') return;
      const wrong = headers.find(({ isHashRight }) => !isHashRight);
      if (wrong !== undefined) {
        if (!isOtherKind(headers, wrong)) {
          throw badBlock(
            wrong.height,
            `block ${wrong.height} is not the one that its hash ${wrong.hash} names (--verify never takes such blocks)`,
          );
        }
        state = 'off';
        log.warn(
          { height: wrong.height },
          `blocks of this chain do not fit their own hashes, and come the same again and again: they are not verified (--verify always insists)`,
        );
        return;
      }
      checkResults(headers, parent);
      if (state === 'on') return;
      state = 'on';
      onProven();
    },
    confirms: (next, before) => state !== 'on' || confirmsResults(next, before),
  };
}

type Results = Pick<ChainPosition, 'resultsHash' | 'resultsAppHash'>;

/** A header names other results of the block before it, `height`, than those that were read. */
export class DisprovedResults extends StrataError {
  constructor(code: 'block_refused' | 'parent_mismatch', height: number, message: string) {
    super(code, message, code === 'block_refused' ? { height, retryable: true } : { height: height + 1 });
    this.disprovedHeight = height;
  }

  readonly disprovedHeight: number;
}

/** Whether a header names these results, as far as they are known. */
function confirmsResults({ lastResultsHash, appHash }: BlockHeader, before: Results): boolean {
  const { resultsHash = '', resultsAppHash = '' } = before;
  return (
    (resultsHash === '' || resultsHash === lastResultsHash) &&
    (resultsAppHash === '' || resultsAppHash === appHash)
  );
}

function checkResults(headers: readonly BlockHeader[], parent: ChainPosition | undefined): void {
  let before: Results | undefined = parent;
  for (const header of headers) {
    if (before !== undefined && !confirmsResults(header, before)) {
      const height = header.height - 1;
      if (height === parent?.height) {
        throw new DisprovedResults(
          'parent_mismatch',
          height,
          `block ${header.height} says that the results of block ${height} are others than those that were read`,
        );
      }
      throw new DisprovedResults(
        'block_refused',
        height,
        `the results of block ${height} are not those that the next block names`,
      );
    }
    before = header;
  }
}

function badBlock(height: number, message: string): StrataError {
  return new StrataError('block_refused', message, { height, retryable: true });
}
