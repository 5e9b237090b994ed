import { isStrataError, StrataError } from 'strata-kit/errors';
import { isThrottling } from '../chain/rpc/errors.ts';
import { DisprovedResults } from './block-verifier.ts';

/** What an error says of a range: whether a block is to blame, and in which parts the range is asked for next. */

export type Part = readonly [fromHeight: number, toHeight: number];

/** What fits one request is asked for as a whole, and in halves only when that came wrong so often. */
const MIN_HALVED_BLOCKS = 5;
const WHOLE_ATTEMPTS = 3;

/** Whether a block may be to blame for an error. */
export function isOfBlock(error: unknown): boolean {
  if (error instanceof DisprovedResults) return true;
  if (isStrataError(error, 'node_rpc_error')) return !isThrottling(error.message);
  return isStrataError(error, 'block_malformed') || isStrataError(error, 'node_bad_answer');
}

/** The refusal of a block by every node, named with its height; undefined where nodes fail for another reason. */
export function refusalBehind(error: unknown, fromHeight: number): StrataError | undefined {
  if (!isStrataError(error, 'sources_exhausted')) return undefined;
  const { cause } = error;
  if (!isStrataError(cause, 'node_rpc_error') || isThrottling(cause.message)) return undefined;
  return new StrataError('node_rpc_error', error.message, { height: cause.height ?? fromHeight, cause });
}

/** Whether results within the range are those that a header disproves. */
export function isDisprovedIn(error: unknown, fromHeight: number): error is DisprovedResults {
  return error instanceof DisprovedResults && error.disprovedHeight >= fromHeight;
}

/** A block and the one above it, which disproves its results. */
export function isPair(error: unknown, fromHeight: number, toHeight: number): boolean {
  return (
    error instanceof DisprovedResults && error.disprovedHeight === fromHeight && toHeight === fromHeight + 1
  );
}

/**
 * The parts in which a range is asked for next: a bad block by itself, or together with the one that disproves it. Of a
 * node that answers wrongly now and then, halves come right sooner than the whole. Undefined for the whole.
 */
export function cutFor(
  error: StrataError,
  fromHeight: number,
  toHeight: number,
  attempt: number,
): readonly Part[] | undefined {
  if (fromHeight === toHeight || isPair(error, fromHeight, toHeight)) return undefined;
  if (isDisprovedIn(error, fromHeight)) {
    const { disprovedHeight } = error;
    return around([disprovedHeight, disprovedHeight + 1], fromHeight, toHeight);
  }
  const { code, height } = error;
  // of an answer that cannot be cut into blocks the first height may be named because none is known
  const isVague = code === 'node_bad_answer' || code === 'node_rpc_error';
  const isNamed = code === 'block_malformed' || (isVague && height !== fromHeight);
  if (isNamed && height !== undefined && height >= fromHeight && height <= toHeight) {
    return around([height, height], fromHeight, toHeight);
  }
  const isStubborn = isVague && (code === 'node_rpc_error' || attempt + 1 >= WHOLE_ATTEMPTS);
  if (toHeight - fromHeight < MIN_HALVED_BLOCKS && !isStubborn) return undefined;
  const middle = Math.floor((fromHeight + toHeight) / 2);
  return [
    [fromHeight, middle],
    [middle + 1, toHeight],
  ];
}

export function around([first, last]: Part, fromHeight: number, toHeight: number): readonly Part[] {
  const parts: readonly Part[] = [
    [fromHeight, first - 1],
    [first, Math.min(last, toHeight)],
    [last + 1, toHeight],
  ];
  return parts.filter(([from, to]) => from <= to);
}
