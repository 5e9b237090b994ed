import { internalError } from 'strata-kit/rpc/errors';
import type { Params } from 'strata-kit/rpc/params';

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
