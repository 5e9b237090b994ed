import { afterAll, beforeAll, expect, it } from 'vitest';
import { type IndexedDevnet, openDevnetIndex } from '../support/devnet-index.ts';

let index: IndexedDevnet;
beforeAll(async () => {
  index = await openDevnetIndex({ blocks: 120 });
}, 120_000);
afterAll(() => index.close());

it('pairs have rows', async () => {
  const store = await index.api.stores.open('look');
  for (const table of ['dex_pairs', 'dex_syncs', 'dex_swaps', 'dex_mints']) {
    const text = Buffer.from(await store.query(`SELECT toString(count()) FROM ${table}`)).toString();
    expect(text).not.toBe('0');
  }
  await store.close();
});
