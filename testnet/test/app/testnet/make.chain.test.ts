import type { Devnet } from 'strata-devnet/devnet';
import { openWorkload } from 'strata-devnet/workload/devnet-workload';
import { canonicalAccount } from 'strata-kit/address';
import { bech32Of } from 'strata-kit/client/keys';
import { systemClock } from 'strata-kit/clock';
import type { JsonObject } from 'strata-kit/proto-json';
import { afterEach, expect, it } from 'vitest';
import { hashDocument, parseDocument } from '../../../src/launchpad/document.ts';
import { ONE, TEST_ASSETS } from '../../../src/testnet/assets.ts';
import { pairOf } from '../../../src/testnet/ethereum.ts';
import { testnetKeys } from '../../../src/testnet/keys.ts';
import { assetWith, balanceOf, bundleToken } from '../../../src/testnet/look.ts';
import { makeTestnet, type TestnetOptions } from '../../../src/testnet/make.ts';
import { silent } from '../support/desk-world.ts';
import { type DevnetChain, openDevnetChain } from '../support/devnet-chain.ts';

/** The testnet's assets on a chain whose workload uses the faucet's key as well. */

let open: DevnetChain | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});

const keys = testnetKeys();
const desk = bech32Of('aeva', keys.desk);

async function chainAtWork(): Promise<DevnetChain> {
  open = await openDevnetChain({ blockTimeMs: 60 });
  work(open.devnet);
  return open;
}

function work(devnet: Devnet): void {
  const { workload, view } = openWorkload(devnet, '1');
  devnet.chain.onBlock((block) => workload.observe(block, view()));
  devnet.start(() => workload.plan(view(), 5));
}

function options(
  { chain }: DevnetChain,
  more: Partial<TestnetOptions> = {},
): TestnetOptions & { hashes: string[] } {
  const hashes: string[] = [];
  const documents = { put: async ({ metaHash }: { metaHash: string }) => void hashes.push(metaHash) };
  const signal = AbortSignal.timeout(60_000);
  return { chain, keys, documents, clock: systemClock, log: silent, signal, pollMs: 20, hashes, ...more };
}

interface Made {
  readonly assets: bigint;
  readonly pools: readonly (readonly [shares: bigint, coins: bigint])[];
  readonly left: readonly bigint[];
  readonly coins: bigint;
}

async function madeOn({ chain }: DevnetChain): Promise<Made> {
  const { next_nonce } = await chain.query('/aeva.asset.v1.Query/NextNonce', { issuer: desk });
  const { factory = '', stable = '' } = chain.facts.contracts ?? {};
  const units = async (asset_id: string, holder: string): Promise<bigint> => {
    const { position } = await chain.query('/aeva.rights.v1.Query/Position', {
      asset_id,
      kind_id: 0,
      holder,
    });
    return BigInt(String((position as JsonObject).units));
  };
  const found = await Promise.all(
    TEST_ASSETS.map(async ({ document }) => {
      const id = (await assetWith(chain, keys.desk, desk, hashDocument(document).metaHash)) ?? '';
      const pair = canonicalAccount(pairOf(factory, await bundleToken(chain, id), stable), 'aeva') ?? '';
      return {
        pool: [await units(id, pair), await balanceOf(chain, pair, 'uusd')] as const,
        left: await units(id, desk),
      };
    }),
  );
  return {
    assets: BigInt(String(next_nonce)),
    pools: found.map(({ pool }) => pool),
    left: found.map(({ left }) => left),
    coins: await balanceOf(chain, desk, 'uusd'),
  };
}

const WANTED: Made = {
  assets: 3n,
  pools: [
    [200_000n * ONE, 600_000n * ONE],
    [100_000n * ONE, 1_250_000n * ONE],
    [50_000n * ONE, 40_000n * ONE],
  ],
  left: [800_000n * ONE, 400_000n * ONE, 200_000n * ONE],
  // 3,000,000 less what is in pools
  coins: 1_110_000n * ONE,
};

it('has documents that the launchpad takes', () => {
  for (const { document } of TEST_ASSETS) {
    expect(parseDocument(Buffer.from(JSON.stringify(document)))).toEqual(document);
  }
});

it('makes three assets with pools, and nothing when it is started again', async () => {
  const one = await chainAtWork();
  const first = options(one);
  const instruments = await makeTestnet(first);
  expect(instruments.map(({ symbol }) => symbol)).toEqual(['ORCH', 'SOLAR', 'GARDEN']);
  expect(first.hashes).toHaveLength(3);
  expect(await madeOn(one)).toEqual(WANTED);
  let txs = 0;
  const again = await makeTestnet(options(one, { onTx: () => (txs += 1) }));
  expect([again, txs]).toEqual([instruments, 0]);
});

it('ends with the same when it is killed before each tx in turn', async () => {
  const one = await chainAtWork();
  const killed = new Error('killed');
  let ended = 0;
  for (let at = 1; at < 80; at++) {
    let txs = 0;
    const onTx = () => {
      txs += 1;
      // a pool takes three
      if (txs === 1 + (at % 6)) throw killed;
    };
    const error = await makeTestnet(options(one, { onTx })).catch((reason: unknown) => reason);
    if (error !== killed) {
      expect(error).toHaveLength(3);
      ended = at;
      break;
    }
  }
  // whoever is killed at its first tx makes nothing
  expect(ended).toBeGreaterThan(3);
  expect(await madeOn(one)).toEqual(WANTED);
});

it('stops when it is told to, on a chain that makes no block', async () => {
  open = await openDevnetChain();
  const stop = new AbortController();
  const making = makeTestnet(
    options(open, { signal: stop.signal, onTx: () => setTimeout(() => stop.abort(), 50) }),
  );
  expect(await making).toEqual([]);
});
