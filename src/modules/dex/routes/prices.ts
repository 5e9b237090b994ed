import { parseAssetId } from '../../../api/params.ts';
import { pathParam, type Route, type RouteContext } from '../../../api/route.ts';
import { parseHexAddress, toChecksumAddress } from '../../../core/address.ts';
import { bytesToHex } from '../../../core/bytes.ts';
import { StrataError } from '../../../core/errors.ts';
import { formatTimeNs } from '../../../core/time.ts';
import { assetOf } from '../../asset/assets-read.ts';
import { fixedGrid, gridTimes, isRange, type Sync, valuesAt, wholeGrid } from '../chart.ts';
import { dexDerivation } from '../derivation.ts';
import { poolOf, poolState, syncsFor } from '../pools-read.ts';

const NATIVE = 'native';
const NATIVE_DECIMALS = 18;
const STABLE_DECIMALS = 6;
/** As ERC-20 has them; more are a lie of the chain's, and no number to count with. */
const MAX_DECIMALS = 255;
const BPS = 10_000n;

/** An asset's price, from the configured factory's pair of its token and the stable one (modules.md rule 15). */
export const pricesRoute: Route = {
  path: '/v1/prices/{asset}',
  query: ['range'],
  cache: 'head',
  handle: async (request, context) => {
    const { snapshot, chain } = context;
    const asset = pathParam(request, 'asset');
    if (asset !== NATIVE) parseAssetId(asset);
    const range = request.query.get('range') ?? '1d';
    if (!isRange(range)) throw new StrataError('bad_request', 'range must be 1d, 1w, 1m or all');
    // a store of an older schema has no such tables
    if (!snapshot.generations.has(dexDerivation.module)) throw notFound('no pairs are indexed');
    const stable = parseHexAddress(chain.market.evm.stable ?? '');
    if (stable === undefined) throw notFound('no stable token is configured');
    const base = await baseOf(context, asset);
    const pool = await poolOf(context, hexOf(base.token), hexOf(stable));
    if (pool === undefined) throw notFound('there is no pool of the asset and the stable token');

    const headNs = snapshot.latestBlockTimeNs;
    const fixed = fixedGrid(range);
    const [state, early] = await Promise.all([
      poolState(context, pool),
      fixed === undefined ? [] : syncsFor(context, pool, fixed),
    ]);
    const { first, last, dayAgo, volumes24h } = state;
    if (last === undefined) throw notFound('the pool has never had reserves');
    if (first === undefined || last.reserve0 === 0n || last.reserve1 === 0n) {
      throw notFound('the pool is empty: a reserve is 0 after its last Sync');
    }
    const grid = fixed ?? wholeGrid(headNs, first.timeNs);
    const syncs = fixed === undefined ? await syncsFor(context, pool, grid) : early;

    const isBase0 = pool.token0 === hexOf(base.token);
    const unit = 10n ** BigInt(base.decimals);
    const reservesOf = ({ reserve0, reserve1 }: Sync) =>
      isBase0 ? { base: reserve0, quote: reserve1 } : { base: reserve1, quote: reserve0 };
    const priceOf = (sync: Sync): bigint => {
      const reserves = reservesOf(sync);
      return (reserves.quote * unit) / reserves.base;
    };
    const reserves = reservesOf(last);
    const [price, oldPrice] = [priceOf(last), priceOf(dayAgo ?? first)];
    const body = {
      asset,
      pair: toChecksumAddress(parseHexAddress(pool.pair) ?? new Uint8Array(20)),
      base_token: toChecksumAddress(base.token),
      quote_token: toChecksumAddress(stable),
      base_decimals: base.decimals,
      quote_decimals: STABLE_DECIMALS,
      quote_denom: chain.market.stableDenom ?? '',
      range,
      as_of: formatTimeNs(headNs),
      height: snapshot.indexedHeight,
      price: String(price),
      price_24h_ago: String(oldPrice),
      // BigInt divides toward zero
      change_24h_bps: String(oldPrice === 0n ? 0n : ((price - oldPrice) * BPS) / oldPrice),
      volume_24h: String(isBase0 ? volumes24h.volume1 : volumes24h.volume0),
      swaps_24h: Number(volumes24h.swaps),
      reserves: { base: String(reserves.base), quote: String(reserves.quote) },
      points: valuesAt(gridTimes(grid, headNs), [...syncs, last]).map(({ timeNs, sync }) => ({
        time: formatTimeNs(timeNs),
        price: String(priceOf(sync)),
      })),
    };
    return { parts: [JSON.stringify(body)] };
  },
};

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
