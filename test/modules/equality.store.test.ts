import { describe, expect, it } from 'vitest';
import { type IndexedDevnet, openDevnetIndex } from '../support/devnet-index.ts';
import { drawn, IS_FULL } from '../support/full.ts';
import { seededRandom } from '../support/random.ts';
import { RARE_CHAIN } from '../support/rare-chain.ts';
import { referenceWorld } from '../support/worlds.ts';
import { chainState, type State } from './support/chain-state.ts';
import { driftIn, storeState } from './support/store-state.ts';

/**
 * What is derived from a chain's events is the chain's own state, at its head and at any height before: every asset,
 * position, lock, accrual, basis, settlement, encumbrance, delegation, attestation, tier, pool and route.
 */

/**
 * `npm run test:full` has longer chains too, the longest of a seed that it draws: a block costs 25 ms of CPU. On the last
 * one all rare scenarios are played, while days pass.
 */
const LONGER: readonly Chain[] = IS_FULL
  ? [...drawn([1, 2, 3, 4], 1).map((seed) => ({ seed, blocks: 2_500 })), RARE_CHAIN]
  : [];

interface Chain {
  readonly seed: number;
  readonly blocks: number;
  /** As `strata corpus --clock` takes them. */
  readonly steps?: string;
}
const HEIGHTS = 6;

/** What a workload must have brought about by its end, or nothing is proved by it. */
const NAMES = [
  ...['assets', 'kinds', 'positions', 'locks', 'totals', 'accruals', 'settled', 'routed', 'settlements'],
  ...['encumbrances', 'delegations', 'attestations', 'tiers', 'paid', 'liquidations', 'pools', 'routes'],
  ...['received', 'sent'],
];
const MAX_TOLD = 5;

describe('the store', () => {
  it("has the reference chain's state at its head, and at heights before", async () => {
    await expectEqualAtHeights(await referenceWorld(), 21);
  }, 120_000);

  it.each(LONGER)(
    'has the state of the workload of seed $seed after $blocks blocks, and at heights before',
    async (chain) => {
      const index = await openDevnetIndex(chain);
      try {
        await expectEqualAtHeights(index, chain.seed);
      } finally {
        await index.close();
      }
    },
    600_000,
  );
});

async function expectEqualAtHeights(index: IndexedDevnet, seed: number): Promise<void> {
  const blocks = index.height;
  const store = await index.api.stores.open('state');
  try {
    expect(await driftIn(store)).toEqual([]);
    const head = await expectEqual(index, blocks);
    expect(Object.keys(head).sort()).toEqual(NAMES.toSorted());
    expect(head.settled?.some((line) => line.includes(' encumbrance/'))).toBe(true);
    const seen = new Set(filled(head));
    const random = seededRandom(seed);
    for (let i = 0; i < HEIGHTS; i++) {
      for (const name of filled(await expectEqual(index, random.between(1, blocks - 1)))) seen.add(name);
    }
    // whether a pledge routes income at one of these heights is chance: what it left is looked for above
    expect([...seen, 'routed']).toEqual(expect.arrayContaining(NAMES));
  } finally {
    await store.close();
  }
}

async function expectEqual(index: IndexedDevnet, height: number): Promise<State> {
  const store = await index.api.stores.open('state at a height');
  const [derived, chain] = [await storeState(store, height), await chainState(index, height)];
  await store.close();
  for (const [name, lines] of Object.entries(chain)) {
    const found = derived[name] ?? [];
    const missing = without(lines, found).slice(0, MAX_TOLD);
    const more = without(found, lines).slice(0, MAX_TOLD);
    const count = found.length;
    expect
      .soft({ height, name, count, missing, more })
      .toEqual({ height, name, count: lines.length, missing: [], more: [] });
  }
  return chain;
}

function filled(state: State): string[] {
  return Object.keys(state).filter((name) => state[name]?.length !== 0);
}

function without(lines: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return lines.filter((line) => !known.has(line));
}
