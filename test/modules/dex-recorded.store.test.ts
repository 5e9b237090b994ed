import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { beforeAll, expect, it } from 'vitest';
import type { RecordedApi } from '../e2e/support/recorded-api.ts';
import { FIXTURE_FOLDER } from '../support/oracle.ts';
import { RECORDED_CONTRACTS, recordedWorldWithContracts } from '../support/worlds.ts';
import { expectedPrices } from './support/dex-expected.ts';
import type { HandBlock, HandLog, Prices } from './support/dex-pool.ts';

/** Prices of the recorded chain, which has no asset modules: the base layer alone, from any EVM's pools. */

/** Of the first PairCreated log in the recording. */
const { stable: STABLE, wrappedNative: WETH } = RECORDED_CONTRACTS.evm;
const PAIR = '0xc549609EcdEbeAbC2c46BAAb46355Ca404BD3158';
/** Keccak-256 of their signatures, as any explorer shows them. */
const SYNC = '0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1';
const SWAP = '0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822';

let chain: RecordedApi;
beforeAll(async () => {
  chain = await recordedWorldWithContracts();
}, 120_000);

interface Receipt {
  readonly height: number;
  /** Null of a tx that the node had no receipt of. */
  readonly receipt: {
    readonly logs: readonly { readonly address: string; readonly topics: string[]; readonly data: string }[];
  } | null;
}

/** The pair's logs as the node's receipts have them, token 0 being the base. */
async function recordedBlocks(toHeight: number): Promise<HandBlock[]> {
  const times = new Map<number, bigint>();
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: { blocks: { height: number; time: string }[]; next_cursor: string | null } = await chain.get(
      `/v1/blocks?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`,
    );
    for (const { height, time } of page.blocks) {
      const [, second = '', fraction = ''] = /^(.*?)(?:\.(\d+))?Z$/.exec(time) ?? [];
      times.set(height, BigInt(Date.parse(`${second}Z`)) * 1_000_000n + BigInt(fraction.padEnd(9, '0')));
    }
    cursor = page.next_cursor;
  }
  const blocks = Array.from({ length: toHeight }, (_, i) => ({
    timeNs: times.get(i + 1) ?? 0n,
    logs: [] as HandLog[],
  }));
  const text = gunzipSync(readFileSync(new URL('oracle/evm.jsonl.gz', FIXTURE_FOLDER))).toString('utf8');
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const { height, receipt } = JSON.parse(line) as Receipt;
    for (const { address, topics, data } of receipt?.logs ?? []) {
      if (address.toLowerCase() !== PAIR.toLowerCase()) continue;
      const words = (data.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`));
      const [a = 0n, b = 0n, c = 0n, d = 0n] = words;
      if (topics[0] === SYNC) blocks[height - 1]?.logs.push({ sync: [a, b] });
      if (topics[0] === SWAP) blocks[height - 1]?.logs.push({ swap: [a, b, c, d] });
    }
  }
  return blocks;
}

it('are what its receipts give, and its last reserves', async () => {
  const blocks = await recordedBlocks(501);
  for (const range of ['1d', '1w', '1m', 'all']) {
    const prices = await chain.get<Prices>(`/v1/prices/native?range=${range}`);
    expect(prices, range).toMatchObject({
      pair: PAIR,
      base_token: WETH,
      quote_token: STABLE,
      ...expectedPrices(blocks, range),
    });
  }
  // oracle/expect.json, uniswap_final["stable/weth"]: reserve0, reserve1;
  // floor(1917098915678 · 10^18 / 10435362013933767771845) = 183711778
  const { reserves, price, swaps_24h } = await chain.get<Prices>('/v1/prices/native');
  expect(reserves).toEqual({ base: '10435362013933767771845', quote: '1917098915678' });
  expect(price).toBe('183711778');
  expect(swaps_24h).toBeGreaterThan(50);
}, 120_000);

it('of assets there are none', async () => {
  expect(await chain.expectError(`/v1/prices/${'ab'.repeat(32)}`, 404)).toMatch(/no such asset/);
});
