import { afterAll, beforeAll, expect, test } from 'vitest';
import { FIRST_HEIGHT } from './support/model-chain.ts';
import { ask, openTestApi, type TestApi } from './support/test-api.ts';

/** What is told of events while modules have still to derive from a store. */

let t: TestApi;
beforeAll(async () => {
  t = await openTestApi(5, { derivedTypes: new Set(['x.asset.v1.EventCreated']) });
});
afterAll(() => t.close());

test('an old tx and block whose events will be applied are not kept beyond it', async () => {
  const hash = new Uint8Array(32).fill(0x44);
  const targets = [`/v1/txs/${'44'.repeat(32)}`, `/v1/blocks/${FIRST_HEIGHT}`];
  const told = async (): Promise<unknown[]> => {
    const found = [];
    for (const target of targets) {
      const { json, headers } = await ask(t.api, target);
      const isKept = headers.get('cache-control')?.includes('immutable') ?? false;
      found.push({ isApplied: JSON.stringify(json).includes('"applied":true'), isKept });
    }
    return found;
  };
  t.chain.generations = new Map();
  t.chain.grow(3, [{ hash, code: 0 }]);
  await t.commit();
  const before = { isApplied: false, isKept: false };
  expect(await told()).toEqual([before, before]);
  t.chain.generations = new Map([['asset', 1]]);
  t.chain.grow(1);
  await t.commit();
  const after = { isApplied: true, isKept: true };
  expect(await told()).toEqual([after, after]);
});
