import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Reconciliation, reconcile } from '../../src/reconcile/reconcile.ts';
import { type IndexedDevnet, openDevnetIndex } from '../support/devnet-index.ts';

const BLOCKS = 150;
const DERIVED = new Set([
  'asset',
  'rights',
  'payout',
  'settlement',
  'encumbrance',
  'attestation',
  'delegation',
]);

describe('reconciliation', () => {
  let index: IndexedDevnet;
  beforeAll(async () => {
    index = await openDevnetIndex({ blocks: BLOCKS });
  }, 120_000);
  afterAll(() => index?.close());

  async function run(
    wish: { height?: number; deep?: boolean; assetId?: string } = {},
  ): Promise<Reconciliation> {
    const { source, api } = index;
    const found = await reconcile({ ...wish, source, stores: api.stores, namespace: 'aeva', nowMs: () => 5 });
    if (found === undefined) throw new Error('the store derives no modules');
    return found;
  }

  it('agrees at the head and at an older height', async () => {
    for (const height of [undefined, 97]) {
      const found = await run({ ...(height === undefined ? {} : { height }), deep: true });
      expect(found.rows.filter(({ agree }) => !agree)).toEqual([]);
      expect(found.unserved).toEqual([]);
      const { exports } = found;
      for (const { module, records, differences } of exports.filter((each) => DERIVED.has(each.module))) {
        expect(differences, module).toEqual([]);
        expect(records, module).toBeGreaterThan(5);
      }
    }
  });
});
