import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { jsonOf } from './stack.ts';

/** Where pictures of the pages go. */
export const SHOTS = join(import.meta.dirname, '..', '..', '..', '..', 'artifacts', 'screenshots');

/** A page by its path, with what its heading begins with. */
export interface Place {
  readonly name: string;
  readonly path: string;
}

interface Found {
  readonly assets: readonly { readonly id: string; readonly issuer: string }[];
  readonly blocks: readonly { readonly height: number; readonly tx_count: number }[];
  readonly settlements: readonly { readonly id: number }[];
  readonly txs: readonly { readonly hash: string; readonly msgs: readonly unknown[] }[];
}

/** Every kind of page, with something of this chain on it. */
export async function placesOf(url: string): Promise<readonly Place[]> {
  const ask = (path: string) => jsonOf<Found>(`${url}${path}`);
  const { assets } = await ask('/v1/assets?limit=1');
  const { blocks } = await ask('/v1/blocks?limit=20');
  const { settlements } = await ask('/v1/settlements?limit=1');
  const { txs: creations } = await ask('/v1/txs?limit=50&method=/aeva.asset.v1.MsgCreateAsset');
  const { txs: calls } = await ask('/v1/txs?limit=1&method=/cosmos.evm.vm.v1.MsgEthereumTx');
  const [asset] = assets;
  const block = blocks.find(({ tx_count }) => tx_count > 0);
  if (asset === undefined || block === undefined)
    throw new Error('the chain has no asset, or no block with a tx');
  const [settlement] = settlements;
  // its sentences are the longest of the workload
  const [tx] = creations.toSorted((a, b) => b.msgs.length - a.msgs.length);
  const [call] = calls;
  const all: readonly (readonly [name: string, path: string])[] = [
    ['overview', '/'],
    ['blocks', '/blocks'],
    ['block', `/block/${block.height}`],
    ['txs', '/txs'],
    ['tx', `/tx/${tx?.hash}`],
    ['tx-evm', `/tx/${call?.hash}`],
    ['assets', '/assets'],
    ['asset', `/asset/${asset.id}`],
    ...['kinds', 'income', 'holders', 'picture', 'events', 'checks'].map(
      (tab) => [`asset-${tab}`, `/asset/${asset.id}?tab=${tab}`] as const,
    ),
    ['account', `/account/${asset.issuer}`],
    ['settlements', '/settlements'],
    ['settlement', `/settlement/${settlement?.id}`],
    ['encumbrance', '/encumbrance/1'],
    ['bridge', '/bridge'],
    ['market', '/market'],
    ['market-of', '/market/native'],
    ['quests', '/quests'],
    ['quests-of', `/quests/${asset.issuer}`],
    ['checks', '/checks'],
    ['faucet', '/faucet'],
    ['launch', '/launch'],
    ['desk', '/desk'],
    ['wallet', '/wallet'],
  ];
  return all.map(([name, path]) => ({ name, path }));
}

const QUIET_MS = 400;

/** Resolves when the page has its heading and waits for nothing it shows room for. */
export async function settled(page: Page): Promise<void> {
  await page.locator('main h1').waitFor();
  await page.waitForFunction(
    (quietMs) => {
      const own = globalThis as unknown as { strataQuietSinceMs?: number | undefined };
      const isBusy = document.querySelector('[aria-busy="true"]') !== null;
      if (isBusy) own.strataQuietSinceMs = undefined;
      else own.strataQuietSinceMs ??= performance.now();
      return own.strataQuietSinceMs !== undefined && performance.now() - own.strataQuietSinceMs > quietMs;
    },
    QUIET_MS,
    { polling: 50 },
  );
}
