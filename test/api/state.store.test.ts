import { systemClock } from 'strata-kit/clock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openChainState } from '../../src/api/state.ts';
import { writeChainHeight, writeCheckpoint } from '../../src/store/checkpoints.ts';
import { migrate } from '../../src/store/migrations.ts';
import type { Store, StoreFactory } from '../../src/store/store.ts';
import { openTestStores } from '../support/stores.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let factory: StoreFactory;
let store: Store;
beforeAll(async () => {
  folder = await temporaryFolder();
  factory = await openTestStores(folder.path);
  store = await factory.open('writer');
  await migrate(store);
});
afterAll(async () => {
  await factory.close();
  await folder.remove();
});

const checkpoint = (height: number, chainHeight: number, rows: Readonly<Record<string, number>> = {}) =>
  writeCheckpoint(store, {
    height,
    firstHeight: 5,
    blockHash: 'ab'.repeat(32),
    blockTimeNs: BigInt(height) * 1_000_000_000n,
    chainHeight,
    rows: new Map(Object.entries(rows)),
    generations: new Map(),
    tableGenerations: new Map(),
  });

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await systemClock.sleep(2);
}

describe('chain state', () => {
  test('follows the newest checkpoint and the highest chain height, by poll', async () => {
    const state = await openChainState({ store, clock: systemClock, pollMs: 10, reportError: fail });
    expect(state.current()).toEqual({
      indexedHeight: 0,
      firstHeight: 1,
      latestBlockTimeNs: 0n,
      chainHeight: 0,
      generations: new Map(),
      reconciliations: 0,
      driftTotal: 0,
      badBlocks: { count: 0, heights: [] },
    });
    await writeChainHeight(store, 40);
    await until(() => state.current().chainHeight === 40);
    expect(state.current().indexedHeight).toBe(0);
    await checkpoint(8, 30);
    await until(() => state.current().indexedHeight === 8);
    expect(state.current()).toEqual({
      indexedHeight: 8,
      firstHeight: 5,
      latestBlockTimeNs: 8_000_000_000n,
      chainHeight: 40,
      generations: new Map(),
      reconciliations: 0,
      driftTotal: 0,
      badBlocks: { count: 0, heights: [] },
    });
    await checkpoint(50, 45);
    await until(() => state.current().indexedHeight === 50);
    // the chain is at least as high as what is indexed of it
    expect(state.current().chainHeight).toBe(50);
    await state.close();
  });

  test('looks at once when it is told of a commit', async () => {
    const state = await openChainState({ store, clock: systemClock, pollMs: 600_000, reportError: fail });
    await checkpoint(60, 60);
    state.notify('changed');
    await until(() => state.current().indexedHeight === 60);
    await checkpoint(61, 61);
    state.notify('changed');
    state.notify('changed');
    await until(() => state.current().indexedHeight === 61);
    await state.close();
  });

  test('shows a commit as it says, and reads the rows that it counts otherwise', async () => {
    const asked: string[] = [];
    const watched: Store = {
      ...store,
      query: (sql, options) => {
        asked.push(sql);
        return store.query(sql, options);
      },
    };
    const state = await openChainState({
      store: watched,
      clock: systemClock,
      pollMs: 600_000,
      reportError: fail,
    });
    const askedFor = async (height: number, driftRows = 0): Promise<readonly string[]> => {
      asked.length = 0;
      state.notify({
        height,
        firstHeight: 1,
        blockTimeNs: BigInt(height),
        chainHeight: 72,
        checkpoint: { generations: new Map(), driftRows, badBlockRows: 0 },
      });
      await until(() => state.current().indexedHeight === height);
      return asked.map((sql) => /FROM (\w+)/.exec(sql)?.[1] ?? '');
    };
    await checkpoint(70, 72);
    expect(await askedFor(70)).toEqual([]);
    expect(state.current().chainHeight).toBe(72);
    await checkpoint(71, 72, { drift: 1 });
    expect(await askedFor(71, 1)).toEqual(['drift', 'bad_blocks']);
    await state.close();
  });

  test('a poll that fails is reported, and the last state goes on being served', async () => {
    let broken = false;
    const reported: unknown[] = [];
    const flaky: Store = {
      ...store,
      query: (sql, options) => (broken ? Promise.reject(new Error('gone')) : store.query(sql, options)),
    };
    const state = await openChainState({
      store: flaky,
      clock: systemClock,
      pollMs: 5,
      reportError: (error) => reported.push(error),
    });
    broken = true;
    await until(() => reported.length > 1);
    expect(state.current().indexedHeight).toBe(71);
    broken = false;
    await checkpoint(72, 72);
    await until(() => state.current().indexedHeight === 72);
    await state.close();
  });
});

function fail(error: unknown): void {
  throw error;
}
