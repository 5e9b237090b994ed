import { parseHexAddress, toChecksumAddress } from 'strata-kit/address';
import { bytesToHex } from 'strata-kit/bytes';
import { StrataError } from 'strata-kit/errors';
import { parseAssetId } from '../../api/params.ts';
import { pathParam, type RouteContext, type RouteRequest } from '../../api/route.ts';
import { assetOf } from '../asset/assets-read.ts';
import type { Sync } from './chart.ts';
import { dexDerivation } from './derivation.ts';
import { type Pool, type PoolState, poolOf } from './pools-read.ts';

const NATIVE = 'native';
const NATIVE_DECIMALS = 18;
const STABLE_DECIMALS = 6;
/** As ERC-20 has them. A chain that says more lies, and nothing can be computed with such a number. */
const MAX_DECIMALS = 255;

/** The pool that prices an asset: the configured factory's pair of its token and the stable token. */
export interface PricedPool {
  /** An asset id or `native`. */
  readonly asset: string;
  readonly pool: Pool;
  readonly isBase0: boolean;
  /** Base units of the asset a whole unit. */
  readonly unit: bigint;
  /** Fields that every answer about the price has. */
  readonly facts: {
    readonly asset: string;
    readonly pair: string;
    readonly base_token: string;
    readonly quote_token: string;
    readonly base_decimals: number;
    readonly quote_decimals: number;
    readonly quote_denom: string;
  };
}

/** The pool of the request's `asset`. Errors: bad_request for a malformed id; not_found. */
export async function pricedPoolOf(request: RouteRequest, context: RouteContext): Promise<PricedPool> {
  const { snapshot, chain } = context;
  const asset = pathParam(request, 'asset');
  if (asset !== NATIVE) parseAssetId(asset);
  if (!snapshot.generations.has(dexDerivation.module)) throw notFound('no pairs are indexed');
  const stable = parseHexAddress(chain.market.evm.stable ?? '');
  if (stable === undefined) throw notFound('no stable token is configured');
  const base = await baseOf(context, asset);
  const pool = await poolOf(context, hexOf(base.token), hexOf(stable));
  if (pool === undefined) throw notFound('there is no pool of the asset and the stable token');
  return {
    asset,
    pool,
    isBase0: pool.token0 === hexOf(base.token),
    unit: 10n ** BigInt(base.decimals),
    facts: {
      asset,
      pair: toChecksumAddress(parseHexAddress(pool.pair) ?? new Uint8Array(20)),
      base_token: toChecksumAddress(base.token),
      quote_token: toChecksumAddress(stable),
      base_decimals: base.decimals,
      quote_decimals: STABLE_DECIMALS,
      quote_denom: chain.market.stableDenom ?? '',
    },
  };
}

/** The pool's first Sync and its last. Errors: not_found where it has no price now. */
export function pricedSyncs({ first, last }: Pick<PoolState, 'first' | 'last'>): {
  readonly first: Sync;
  readonly last: Sync;
} {
  if (last === undefined) throw notFound('the pool has never had reserves');
  if (first === undefined || last.reserve0 === 0n || last.reserve1 === 0n) {
    throw notFound('the pool is empty: a reserve is 0 after its last Sync');
  }
  return { first, last };
}

export function reservesOf({ isBase0 }: PricedPool, { reserve0, reserve1 }: Sync) {
  return isBase0 ? { base: reserve0, quote: reserve1 } : { base: reserve1, quote: reserve0 };
}

/** Stable base units a whole unit of the asset, rounded down. */
export function priceOf(pool: PricedPool, sync: Sync): bigint {
  const reserves = reservesOf(pool, sync);
  return (reserves.quote * pool.unit) / reserves.base;
}

interface Base {
  /** 20 bytes. */
  readonly token: Uint8Array;
  readonly decimals: number;
}

/** Errors: not_found. */
async function baseOf(context: RouteContext, asset: string): Promise<Base> {
  if (asset === NATIVE) {
    const token = parseHexAddress(context.chain.market.evm.wrappedNative ?? '');
    if (token === undefined) throw notFound('no wrapped gas token is configured');
    return { token, decimals: NATIVE_DECIMALS };
  }
  const found = await assetOf(context, asset);
  if (found === undefined) throw notFound('no such asset');
  const kind = found.kinds.find(({ bundle }) => bundle);
  if (kind === undefined || kind.decimals > MAX_DECIMALS) throw notFound('the asset has no bundle token');
  return { token: found.bundleAddress, decimals: kind.decimals };
}

function hexOf(address: Uint8Array): string {
  return `0x${bytesToHex(address)}`;
}

function notFound(message: string): StrataError {
  return new StrataError('not_found', message);
}
