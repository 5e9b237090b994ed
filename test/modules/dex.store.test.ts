import { Interface, JsonRpcProvider } from 'ethers';
import { chainSection } from 'strata-devnet/chain-section';
import { type EthereumRpcServer, startEthereumRpc } from 'strata-devnet/evm-rpc/server';
import { toChecksumAddress } from 'strata-kit/address';
import { hexToBytes } from 'strata-kit/bytes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { IndexedDevnet } from '../support/devnet-index.ts';
import { referenceWorld } from '../support/worlds.ts';
import { expectedPrices } from './support/dex-expected.ts';
import type { HandBlock, HandLog, Prices } from './support/dex-pool.ts';

/** Prices of the reference chain against its own Ethereum JSON-RPC: reserves by eth_call, volumes by its logs. */

const FACE = new Interface([
  'function getPair(address, address) view returns (address)',
  'function getReserves() view returns (uint112, uint112, uint32)',
  'event Sync(uint112 reserve0, uint112 reserve1)',
  'event Swap(address indexed sender, uint256 in0, uint256 in1, uint256 out0, uint256 out1, address indexed to)',
]);
const NOWHERE = `0x${'0'.repeat(40)}`;
const RANGES = ['1d', '1w', '1m', 'all'];

interface ChainPool {
  readonly asset: string;
  readonly base: string;
  readonly decimals: number;
  readonly pair: string;
  readonly isBase0: boolean;
}

let index: IndexedDevnet;
let server: EthereumRpcServer;
let provider: JsonRpcProvider;

beforeAll(async () => {
  index = await referenceWorld();
  const { chain, app, readerAt, simulations } = index.devnet;
  server = await startEthereumRpc({
    source: { chain, codec: app.codec, parameters: app.parameters, readerAt, simulations },
    port: 0,
  });
  provider = new JsonRpcProvider(server.url, undefined, { cacheTimeout: -1 });
}, 120_000);
afterAll(async () => {
  provider?.destroy();
  await server?.close();
});

const contracts = () => chainSection(index.devnet.app.parameters).evm;

async function call(to: string, name: string, args: readonly unknown[], height: number) {
  const data = FACE.encodeFunctionData(name, args);
  return FACE.decodeFunctionResult(name, await provider.call({ to, data, blockTag: height }));
}

interface ChainAsset {
  readonly id: string;
  readonly kinds: readonly { readonly decimals: number; readonly bundle: boolean }[];
}

const assets = async (): Promise<readonly ChainAsset[]> =>
  (await index.query('asset', 'Export')).assets as unknown as ChainAsset[];

/** Every priced asset that the factory has a pair of; `pair` is empty where it has none. */
async function pools(): Promise<readonly ChainPool[]> {
  const { factory, stable, wrappedNative } = contracts();
  const bases = [{ asset: 'native', base: wrappedNative, decimals: 18 }];
  for (const { id, kinds } of await assets()) {
    const { tokens } = await index.query('rights', 'Tokens', { asset_id: id });
    const bundle = (tokens as unknown as { bundle: boolean; address: string }[]).find(
      (token) => token.bundle,
    );
    const decimals = kinds.find((kind) => kind.bundle)?.decimals;
    if (bundle === undefined || decimals === undefined) continue;
    const bytes = /^0x/.test(bundle.address)
      ? hexToBytes(bundle.address.slice(2))
      : Buffer.from(bundle.address, 'base64');
    bases.push({ asset: id, base: toChecksumAddress(bytes ?? new Uint8Array(20)), decimals });
  }
  return Promise.all(
    bases.map(async ({ asset, base, decimals }) => {
      const [pair] = await call(factory, 'getPair', [base, stable], index.height);
      const isBase0 = base.toLowerCase() < stable.toLowerCase();
      return { asset, base, decimals, isBase0, pair: pair === NOWHERE ? '' : String(pair) };
    }),
  );
}

/** The pool's own logs, as its blocks have them. */
async function blocksOf({ pair, isBase0 }: ChainPool): Promise<HandBlock[]> {
  const logs = await provider.getLogs({ address: pair, fromBlock: 1, toBlock: index.height });
  const blocks = Array.from({ length: index.height }, (_, i) => ({
    timeNs: index.devnet.chain.block(i + 1)?.header.timeNs ?? 0n,
    logs: [] as HandLog[],
  }));
  const ordered = (a: bigint, b: bigint): [bigint, bigint] => (isBase0 ? [a, b] : [b, a]);
  for (const log of logs) {
    const told = FACE.parseLog(log);
    const args = told?.args.map((value) => value as bigint) ?? [];
    const into = blocks[log.blockNumber - 1]?.logs;
    if (told?.name === 'Sync') into?.push({ sync: ordered(args[0] ?? 0n, args[1] ?? 0n) });
    if (told?.name === 'Swap') {
      const [, in0 = 0n, in1 = 0n, out0 = 0n, out1 = 0n] = args;
      into?.push({ swap: [...ordered(in0, in1), ...ordered(out0, out1)] });
    }
  }
  return blocks;
}

const pricesOf = (asset: string, range: string): Promise<Prices> =>
  index.api.get<Prices>(`/v1/prices/${asset}?range=${range}`);

interface Checked {
  readonly priced: number;
  readonly swaps: number;
  /** Points that were asked of the chain. */
  readonly called: number;
}

async function checkAll(): Promise<Checked> {
  const { stable } = contracts();
  const sums = { priced: 0, swaps: 0, called: 0 };
  for (const pool of await pools()) {
    if (pool.pair === '') {
      expect(await index.api.expectError(`/v1/prices/${pool.asset}`, 404)).toMatch(/no pool/);
      continue;
    }
    const blocks = await blocksOf(pool);
    const unit = 10n ** BigInt(pool.decimals);
    sums.priced++;
    for (const range of RANGES) {
      const prices = await pricesOf(pool.asset, range);
      expect(prices, `${pool.asset} ${range} at ${index.height}`).toMatchObject({
        asset: pool.asset,
        pair: pool.pair,
        base_token: pool.base,
        quote_token: stable,
        base_decimals: pool.decimals,
        quote_decimals: 6,
        quote_denom: 'uusd',
        range,
        ...expectedPrices(blocks, range, unit),
      });
      if (range === 'all') {
        sums.swaps += prices.swaps_24h;
        sums.called += await checkByCall(pool, prices, blocks);
      }
    }
  }
  return sums;
}

const CALLED_POINTS = 8;

/** Reserves, and some of the points, by eth_call at the block of their time. */
async function checkByCall(pool: ChainPool, prices: Prices, blocks: readonly HandBlock[]): Promise<number> {
  const reservesAt = async (height: number): Promise<[base: bigint, quote: bigint]> => {
    const [a, b] = (await call(pool.pair, 'getReserves', [], height)) as unknown as [bigint, bigint];
    return pool.isBase0 ? [a, b] : [b, a];
  };
  const [base, quote] = await reservesAt(index.height);
  expect(prices.reserves).toEqual({ base: String(base), quote: String(quote) });
  const priceAt = new Map<number, string>();
  const stride = Math.ceil(prices.points.length / CALLED_POINTS);
  for (const { time, price } of prices.points.filter((_, i) => i % stride === 0)) {
    const ns = BigInt(Date.parse(time.replace(/\.\d+/, ''))) * 1_000_000n + fractionOf(time);
    const height = blocks.filter(({ timeNs }) => timeNs <= ns).length;
    let expected = priceAt.get(height);
    if (expected === undefined) {
      const [b, q] = await reservesAt(height);
      expected = String((q * 10n ** BigInt(pool.decimals)) / b);
      priceAt.set(height, expected);
    }
    expect(price, `${pool.asset} ${time}`).toBe(expected);
  }
  return priceAt.size;
}

function fractionOf(time: string): bigint {
  return BigInt((/\.(\d+)Z$/.exec(time)?.[1] ?? '').padEnd(9, '0'));
}

describe('prices', () => {
  it('are those of the chain, at several heights', async () => {
    const heights: Checked[] = [];
    for (const more of [0, 12]) {
      if (more > 0) await index.goOn(more);
      heights.push(await checkAll());
    }
    expect(heights.at(-1)?.priced).toBeGreaterThan(1);
    expect(heights.at(-1)?.called).toBeGreaterThan(5);
    expect(heights.at(-1)?.swaps).toBeGreaterThan(heights[0]?.swaps ?? 0);
  }, 120_000);

  it('are refused where there are none', async () => {
    expect(await index.api.expectError(`/v1/prices/${'ab'.repeat(32)}`, 404)).toMatch(/no such asset/);
    for (const bad of ['nativ', 'NATIVE', 'ab', 'AB'.repeat(32), `0x${'ab'.repeat(32)}`])
      await index.api.expectError(`/v1/prices/${bad}`, 400);
    for (const range of ['2d', '', '1D', 'ALL'])
      await index.api.expectError(`/v1/prices/native?range=${range}`, 400);
    const plain = await index.api.get<Prices>('/v1/prices/native');
    expect(plain).toEqual(await pricesOf('native', '1d'));
  });
});
