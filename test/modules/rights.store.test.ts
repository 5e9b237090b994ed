import type { JsonObject } from 'strata-kit/proto-json';
import { beforeAll, describe, expect, it } from 'vitest';
import { positionEncumbranceJson } from '../../src/modules/rights/position-encumbrances.ts';
import type { IndexedDevnet } from '../support/devnet-index.ts';
import { referenceWorld } from '../support/worlds.ts';

interface Lock {
  readonly ref: string;
  readonly units: string;
}

interface Position {
  readonly asset_id: string;
  readonly kind_id: number;
  readonly holder: string;
  readonly units: string;
  readonly locks: readonly Lock[];
}

interface Encumbrance {
  readonly id: number;
  readonly units: string;
  readonly status: string;
}

interface Holder extends Lock {
  readonly holder: string;
  readonly encumbered: string;
  readonly locks: readonly Lock[];
  readonly encumbrances: readonly Encumbrance[];
}

interface HolderPage {
  readonly asset_id: string;
  readonly kind_id: number;
  readonly holders: readonly Holder[];
  readonly next_cursor: string | null;
}

interface Graph {
  readonly status: string;
  readonly kinds: readonly { kind_id: number; class: string; supply: string; holders: readonly Holder[] }[];
}

const UNKNOWN = '0'.repeat(64);

describe('holders', () => {
  let index: IndexedDevnet;
  let positions: readonly Position[];
  let supplies: readonly { asset_id: string; kind_id: number; supply: string }[];
  beforeAll(async () => {
    // more than two ranges of holder_order_sums
    index = await referenceWorld();
    // the workload ends most encumbrances within a few blocks
    await index.goOn(0, async () => (await activeEncumbrances()).length > 0);
    await readChain();
  }, 120_000);

  async function readChain(): Promise<void> {
    const state = await index.query('rights', 'Export');
    positions = state.positions as unknown as Position[];
    supplies = state.supplies as unknown as typeof supplies;
  }

  async function activeEncumbrances(): Promise<readonly (Encumbrance & JsonObject)[]> {
    const { encumbrances } = await index.query('encumbrance', 'Export');
    return (encumbrances as unknown as (Encumbrance & JsonObject)[]).filter(
      ({ status }) => status === 'STATUS_ACTIVE',
    );
  }

  const inOrder = (assetId: string, kindId: number): Position[] =>
    positions
      .filter((each) => each.asset_id === assetId && each.kind_id === kindId)
      .sort((a, b) => {
        const difference = BigInt(b.units) - BigInt(a.units);
        if (difference !== 0n) return difference > 0n ? 1 : -1;
        return a.holder < b.holder ? -1 : 1;
      });

  const kinds = (): (readonly [assetId: string, kindId: number])[] =>
    supplies.map(({ asset_id, kind_id }) => [asset_id, kind_id]);

  async function walk(assetId: string, kindId: number, limit: number): Promise<Holder[]> {
    const path = `/v1/assets/${assetId}/kinds/${kindId}/holders?limit=${limit}`;
    const all: Holder[] = [];
    let cursor: string | null = '';
    for (let pages = 0; cursor !== null; pages++) {
      const page: HolderPage = await index.api.get(cursor === '' ? path : `${path}&cursor=${cursor}`);
      expect([page.asset_id, page.kind_id]).toEqual([assetId, kindId]);
      all.push(...page.holders);
      cursor = page.next_cursor;
      if (cursor !== null) expect(page.holders).toHaveLength(limit);
      expect(pages).toBeLessThan(1_000);
    }
    return all;
  }

  it('are those of the chain, of every kind, in order, whatever the page', async () => {
    expect(positions.length).toBeGreaterThan(40);
    // the graphs below have every kind; here are those of many holders, and a few of the others
    const some = kinds().filter((kind, i) => inOrder(...kind).length > 2 || i % 6 === 0);
    for (const [assetId, kindId] of some) {
      const expected = inOrder(assetId, kindId).map(({ holder, units, locks }) => ({
        holder,
        units,
        encumbered: String(locks.reduce((sum, lock) => sum + BigInt(lock.units), 0n)),
        locks: locks.toSorted((a, b) => (a.ref < b.ref ? -1 : 1)),
      }));
      // one page, a page that ends where the list does, and three pages; small ones only of long lists
      const { length } = expected;
      for (const limit of length > 2 ? [100, length, Math.ceil(length / 3)] : [Math.max(1, length - 1)]) {
        const found = await walk(assetId, kindId, limit);
        expect(found.map(({ encumbrances: _, ...rest }) => rest)).toEqual(expected);
      }
    }
  });

  it('tell the active encumbrances behind their locks', async () => {
    const active = await activeEncumbrances();
    expect(active.length).toBeGreaterThan(0);
    // of kinds that have one, and of as many that have none
    const named = new Set(active.map(({ asset_id, kind_id }) => `${asset_id} ${kind_id}`));
    const withOne = kinds().filter(([assetId, kindId]) => named.has(`${assetId} ${kindId}`));
    const withNone = kinds().filter((kind) => !withOne.includes(kind));
    expect(withOne.length).toBe(named.size);
    const told: string[] = [];
    for (const [assetId, kindId] of [...withOne, ...withNone.slice(-5)]) {
      for (const { holder, encumbrances: found } of await walk(assetId, kindId, 100)) {
        for (const { id, units, status } of found) {
          expect(status).toBe('active');
          told.push(`${id} ${assetId} ${kindId} ${holder} ${units}`);
        }
      }
    }
    const expected = active.map(
      ({ id, asset_id, kind_id, holder, units }) => `${id} ${asset_id} ${kind_id} ${holder} ${units}`,
    );
    expect(told.toSorted()).toEqual(expected.toSorted());
  }, 120_000);

  it('tell ids in full, however long', () => {
    const encumbrance = { kind: 'lien', beneficiary: 'ann', units: 5n, status: 'active', expiry: null };
    const text = positionEncumbranceJson({ ...encumbrance, id: 2n ** 53n + 1n, holderReleaseAfter: null });
    expect(text).toBe(
      '{"id":9007199254740993,"kind":"lien","beneficiary":"ann","units":"5","status":"active","expiry":null,' +
        '"holder_release_after":null}',
    );
  });

  it('of a graph are the first hundred, with supply and locks', async () => {
    for (const assetId of new Set(supplies.map(({ asset_id }) => asset_id))) {
      const graph: Graph = await index.api.get(`/v1/assets/${assetId}/graph`);
      const of = supplies.filter(({ asset_id }) => asset_id === assetId);
      expect(graph.kinds.map(({ kind_id, supply }) => ({ kind_id, supply }))).toEqual(
        of.map(({ kind_id, supply }) => ({ kind_id, supply })),
      );
      for (const { kind_id, holders } of graph.kinds) {
        const expected = inOrder(assetId, kind_id).slice(0, 100);
        expect(holders.map(({ holder, units, locks }) => ({ holder, units, locks }))).toEqual(
          expected.map(({ holder, units, locks }) => ({
            holder,
            units,
            locks: locks.toSorted((a, b) => (a.ref < b.ref ? -1 : 1)),
          })),
        );
      }
    }
  });

  it('of what is not there', async () => {
    const [assetId] = kinds()[0] ?? [''];
    await index.api.expectError(`/v1/assets/${UNKNOWN}/kinds/0/holders`, 404);
    await index.api.expectError(`/v1/assets/${assetId}/kinds/4000/holders`, 404);
    await index.api.expectError(`/v1/assets/${assetId}/kinds/4294967296/holders`, 404);
    await index.api.expectError(`/v1/assets/${assetId}/kinds/x/holders`, 400);
    await index.api.expectError(`/v1/assets/${assetId.toUpperCase()}x/kinds/0/holders`, 400);
    await index.api.expectError(`/v1/assets/${assetId}/kinds/0/holders?limit=101`, 400);
    await index.api.expectError(`/v1/assets/${assetId}/kinds/0/holders?cursor=AAAA`, 400);
    await index.api.expectError(`/v1/assets/${UNKNOWN}/graph`, 404);
    await index.api.expectError('/v1/assets/x/graph', 400);
  });

  it('keep their order under a cursor while blocks arrive', async () => {
    const greatest = kinds().toSorted((a, b) => inOrder(...b).length - inOrder(...a).length)[0];
    const [assetId, kindId] = greatest ?? ['', 0];
    const namesInOrder = () => inOrder(assetId, kindId).map(({ holder, units }) => `${holder} ${units}`);
    const expected = namesInOrder();
    expect(expected.length).toBeGreaterThan(5);
    const path = `/v1/assets/${assetId}/kinds/${kindId}/holders?limit=${Math.ceil(expected.length / 4)}`;
    const first: HolderPage = await index.api.get(path);
    const found = [...first.holders];
    let cursor = first.next_cursor;
    // over the end of a range of 64 heights, with a change
    await index.goOn(64 - (index.height % 64) + 1, async () => {
      await readChain();
      return namesInOrder().join() !== expected.join();
    });
    while (cursor !== null) {
      const page: HolderPage = await index.api.get(`${path}&cursor=${cursor}`);
      found.push(...page.holders);
      cursor = page.next_cursor;
    }
    expect(found.map(({ holder, units }) => `${holder} ${units}`)).toEqual(expected);
    const again = await walk(assetId, kindId, 20);
    expect(again.map(({ holder, units }) => `${holder} ${units}`)).toEqual(namesInOrder());
  }, 120_000);
});
