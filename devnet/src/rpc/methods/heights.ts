import type { Chain } from '../../comet/types.ts';
import { internalError } from '../errors.ts';
import type { Params } from '../params.ts';

/** The height that a request means, as a node's getHeight decides; none is `latest`. Errors: RpcError. */
export function pickHeight(chain: Chain, params: Params, latest = chain.latestHeight()): number {
  const given = params.int('height');
  if (given === undefined) return latest;
  if (given <= 0n) throw internalError(`height must be greater than 0, but got ${given}`);
  if (given > BigInt(latest)) {
    throw internalError(
      `height ${given} must be less than or equal to the current blockchain height ${latest}`,
    );
  }
  const lowest = chain.earliestHeight();
  if (given < BigInt(lowest)) {
    throw internalError(`height ${given} is not available, lowest height is ${lowest}`);
  }
  return Number(given);
}

const DEFAULT_PER_PAGE = 30;
const MAX_PER_PAGE = 100;

/** How many results a page has: 30 unless given, 100 at most. */
export function perPage(given: bigint | undefined): number {
  if (given === undefined || given < 1n) return DEFAULT_PER_PAGE;
  return given > BigInt(MAX_PER_PAGE) ? MAX_PER_PAGE : Number(given);
}

/** The bounds of a page in a list of `total`: pages count from 1. Errors: RpcError. */
export function pageOf(params: Params, total: number): { readonly from: number; readonly to: number } {
  const size = perPage(params.int('per_page'));
  const pages = Math.max(1, Math.ceil(total / size));
  const page = params.int('page') ?? 1n;
  if (page < 1n || page > BigInt(pages)) {
    throw internalError(`page should be within [1, ${pages}] range, given ${page}`);
  }
  const from = (Number(page) - 1) * size;
  return { from, to: Math.min(from + size, total) };
}
