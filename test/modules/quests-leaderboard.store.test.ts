import { systemClock } from 'strata-kit/clock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, createApi } from '../../src/api/api.ts';
import type { ChainIdentity, Snapshot } from '../../src/api/route.ts';
import { EMPTY_SNAPSHOT } from '../../src/api/rows.ts';
import { readParameters } from '../../src/core/parameter-facts.ts';
import { MODULE_ROUTES } from '../../src/modules/modules.ts';
import { migrate } from '../../src/store/migrations.ts';
import type { Store, StoreFactory } from '../../src/store/store.ts';
import { fixedState, TEST_CURSOR_KEY } from '../support/fixed-state.ts';
import { openTestStores } from '../support/stores.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { account } from './support/income.ts';

/** The ranking of standings that are written by hand. */

interface Board {
  readonly rows: readonly {
    rank: number;
    address: string;
    evm_address: string | null;
    completed: number;
    reached_height: number;
    reached_at: string;
  }[];
  readonly quests: number;
  readonly recognition: string;
  readonly computed_at: string;
}

const GENERATION = 4;
const [ANN, BEN, CAY, DAN, EVE] = [1, 2, 3, 4, 5].map(account) as [string, string, string, string, string];
const [SERVICE, COLLECTOR, ESCROWED] = [account(0x51), account(0x52), account(0x53)];
/** Block n is of 20 s after block n − 1, the first at 00:00:50. */
const timeNs = (height: number): bigint => (50n + 20n * BigInt(height - 1)) * 1_000_000_000n;
const HEAD = 12;

/** Missing, height, account; the generation beside it must not be seen. */
const STANDINGS: readonly (readonly [missing: number, height: number, who: string, generation?: number])[] = [
  [9, 1, ANN],
  [8, 3, ANN],
  [9, 2, BEN],
  [8, 3, BEN],
  [7, 11, BEN],
  [8, 2, CAY],
  [9, 3, DAN],
  [0, 12, DAN],
  [0, 1, SERVICE],
  [1, 1, COLLECTOR],
  [0, 1, ESCROWED, 3],
];

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let stores: StoreFactory;
let asked: string[] = [];

const chain: ChainIdentity = {
  chainId: 'test-1',
  hrp: 'aeva',
  namespace: 'aeva',
  moduleAccounts: [COLLECTOR],
  market: readParameters(new Map([['service_accounts', JSON.stringify([SERVICE])]]), 'aeva'),
};

const at = (indexedHeight: number, more: Partial<Snapshot> = {}): Snapshot => ({
  ...EMPTY_SNAPSHOT,
  indexedHeight,
  latestBlockTimeNs: timeNs(indexedHeight),
  chainHeight: indexedHeight,
  generations: new Map([['quests', GENERATION]]),
  ...more,
});

async function openApi(current: () => Snapshot, identity = chain): Promise<Api> {
  const reader = await stores.open('reader');
  const recording: Store = {
    ...reader,
    query: (sql, options) => {
      asked.push(sql);
      return reader.query(sql, options);
    },
  };
  return createApi({
    readers: [recording],
    state: fixedState(current),
    chain: identity,
    cursorKey: TEST_CURSOR_KEY,
    openapi: new Uint8Array(0),
    routes: MODULE_ROUTES,
    clock: systemClock,
    reportError: (error) => {
      throw error;
    },
  });
}

async function get<T>(api: Api, target: string): Promise<T> {
  const { status, body } = await api.handle('GET', target);
  expect({ target, status }).toEqual({ target, status: 200 });
  return JSON.parse(Buffer.from(body).toString()) as T;
}

const boardOf = (api: Api, limit = 100) => get<Board>(api, `/v1/quests/leaderboard?limit=${limit}`);
const boardAt = async (height: number): Promise<Board> => boardOf(await openApi(() => at(height)));
const placesOf = ({ rows }: Board) =>
  rows.map(({ rank, address, completed, reached_height: height }) => [rank, address, completed, height]);

beforeAll(async () => {
  folder = await temporaryFolder();
  stores = await openTestStores(folder.path);
  const store = await stores.open('writer');
  await migrate(store);
  const rows = STANDINGS.map(
    ([missing, height, who, generation = GENERATION]) =>
      `(${generation}, ${missing}, ${height}, '${who}', ${timeNs(height)})`,
  );
  await store.command(
    `INSERT INTO quest_standings (generation, missing, height, account, time_ns) VALUES ${rows.join(', ')}`,
  );
  const blocks = Array.from({ length: HEAD }, (_, i) => `(${i + 1}, ${timeNs(i + 1)})`);
  await store.command(`INSERT INTO blocks (height, time_ns) VALUES ${blocks.join(', ')}`);
  await store.close();
});
afterAll(async () => {
  await stores.close();
  await folder.remove();
});

describe('the leaderboard', () => {
  it('ranks by quests, then by when they were reached, then by address, of the newest standings', async () => {
    // blocks 2, 5, 8 and 11 are the first of their minutes
    const [first, second] = [ANN, BEN].sort();
    expect(placesOf(await boardAt(10))).toEqual([
      [1, CAY, 2, 2],
      [2, first, 2, 3],
      [3, second, 2, 3],
      [4, DAN, 1, 3],
    ]);
    expect(placesOf(await boardAt(11))).toEqual([
      [1, BEN, 3, 11],
      [2, CAY, 2, 2],
      [3, ANN, 2, 3],
      [4, DAN, 1, 3],
    ]);
  });

  it('is as of the newest first block of a minute', async () => {
    const times = {
      1: '00:00:50',
      2: '00:01:10',
      4: '00:01:10',
      5: '00:02:10',
      10: '00:03:10',
      12: '00:04:10',
    };
    for (const [height, time] of Object.entries(times)) {
      const { computed_at, rows } = await boardAt(Number(height));
      expect({ height, computed_at }).toEqual({ height, computed_at: `1970-01-01T${time}Z` });
      for (const { reached_at } of rows) expect(reached_at <= computed_at).toBe(true);
    }
    expect(placesOf(await boardAt(4))).toEqual([
      [1, CAY, 2, 2],
      [2, ANN, 1, 1],
      [3, BEN, 1, 2],
    ]);
    // Dan's ten come in the second block of a minute
    expect((await boardAt(12)).rows.some(({ completed }) => completed === 10)).toBe(false);
  });

  it('tells of each account its EVM address and when it got there', async () => {
    const [best] = (await boardAt(11)).rows;
    expect(best).toEqual({
      rank: 1,
      address: BEN,
      evm_address: '0x0202020202020202020202020202020202020202',
      completed: 3,
      reached_height: 11,
      reached_at: '1970-01-01T00:04:10Z',
    });
  });

  it('is made once a minute, whatever limits and requests, and by every process alike', async () => {
    let current = at(8);
    const apis = await Promise.all([openApi(() => current), openApi(() => current)]);
    for (const height of [8, 9, 10]) {
      current = at(height);
      asked = [];
      const boards = await Promise.all(apis.flatMap((api) => [boardOf(api), boardOf(api, 2), boardOf(api)]));
      expect(asked.length).toBe(height === 8 ? 4 : 0);
      expect(boards[3]).toEqual(boards[0]);
      expect(boards[1]?.rows).toEqual(boards[0]?.rows.slice(0, 2));
    }
    current = at(11);
    expect(placesOf(await boardOf(apis[0] as Api))[0]).toEqual([1, BEN, 3, 11]);
  });

  it('leaves out within its minute who is configured as a service meanwhile', async () => {
    let current = at(8);
    let services = [SERVICE];
    const identity: ChainIdentity = {
      ...chain,
      get market() {
        return readParameters(new Map([['service_accounts', JSON.stringify(services)]]), 'aeva');
      },
    };
    const api = await openApi(() => current, identity);
    expect((await boardOf(api)).rows.map(({ address }) => address)).toContain(CAY);
    services = [SERVICE, CAY];
    current = at(9);
    expect((await boardOf(api)).rows.map(({ address }) => address)).not.toContain(CAY);
  });

  it('goes on behind a query that failed', async () => {
    const reader = await stores.open('failing');
    let failures = 1;
    const failing: Store = {
      ...reader,
      query: async (sql, options) => {
        if (failures-- > 0) throw new Error('gone');
        return reader.query(sql, options);
      },
    };
    const reported: unknown[] = [];
    const api = createApi({
      readers: [failing],
      state: fixedState(() => at(11)),
      chain,
      cursorKey: TEST_CURSOR_KEY,
      openapi: new Uint8Array(0),
      routes: MODULE_ROUTES,
      clock: systemClock,
      reportError: (error) => reported.push(error),
    });
    expect((await api.handle('GET', '/v1/quests/leaderboard')).status).toBe(500);
    expect(reported.length).toBe(1);
    expect((await boardOf(api)).rows.length).toBe(4);
  });

  it('finds the first block of a minute that has many', async () => {
    const store = await stores.open('writer');
    // 5,000 blocks a ms apart, the first of them at 00:10:00.1
    await store.command(
      'INSERT INTO blocks (height, time_ns) SELECT 20 + number, 600100000000 + number * 1000000 FROM numbers(5000)',
    );
    await store.close();
    const api = await openApi(() => at(5_019, { latestBlockTimeNs: 605_099_000_000n }));
    expect((await boardOf(api)).computed_at).toBe('1970-01-01T00:10:00.1Z');
  });

  it('has a hundred rows at most, of accounts that have many standings', async () => {
    const store = await stores.open('writer');
    await store.command(
      `INSERT INTO quest_standings (generation, missing, height, account, time_ns) SELECT 9, 10 - k, k, name, 0 FROM ` +
        `(SELECT arrayJoin([${Array.from({ length: 130 }, (_, i) => `'${account(i + 1)}'`).join(', ')}]) AS name, ` +
        'arrayJoin(range(1, 10)) AS k)',
    );
    await store.close();
    const board = await boardOf(await openApi(() => at(HEAD, { generations: new Map([['quests', 9]]) })));
    const names = Array.from({ length: 130 }, (_, i) => account(i + 1)).filter(
      (name) => name !== SERVICE && name !== COLLECTOR,
    );
    expect(board.rows.map(({ address }) => address)).toEqual(names.sort().slice(0, 100));
    expect(board.rows.every(({ completed }) => completed === 9)).toBe(true);
    expect(board.rows.map(({ rank }) => rank)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
  });

  it('is empty, without a query, where quests are not derived', async () => {
    asked = [];
    const off = await openApi(() => at(10, { generations: new Map() }));
    expect(await boardOf(off)).toMatchObject({ rows: [], quests: 10, computed_at: '1970-01-01T00:03:50Z' });
    const empty = await openApi(() => EMPTY_SNAPSHOT);
    expect(await boardOf(empty)).toMatchObject({ rows: [], computed_at: '1970-01-01T00:00:00Z' });
    const { completed, quests } = await get<{ completed: number; quests: readonly { done: boolean }[] }>(
      off,
      `/v1/quests/${ANN}`,
    );
    expect([completed, quests.filter(({ done }) => done).length, quests.length]).toEqual([0, 0, 10]);
    expect(asked).toEqual([]);
  });

  it.each(['0', '101', '-1', 'x', '1.5', ''])('has no limit %s', async (limit) => {
    const api = await openApi(() => at(10));
    expect((await api.handle('GET', `/v1/quests/leaderboard?limit=${limit}`)).status).toBe(400);
  });
});

describe('quests of an account', () => {
  it('are those of its generation up to the snapshot, in either form of its address', async () => {
    const store = await stores.open('writer');
    const rows = [
      [GENERATION, 5, 'swap', 4, EVE],
      [GENERATION, 7, 'faucet', 5, EVE],
      [GENERATION, 12, 'evm_tx', 7, EVE],
      [3, 1, 'sell_strip', 64, EVE],
      [GENERATION, 5, 'swap', 4, SERVICE],
      [GENERATION, 5, 'swap', 4, COLLECTOR],
    ].map(
      ([of, height = 0, quest, done, who]) =>
        `(${of}, '${who}', ${height}, '${quest}', ${timeNs(Number(height))}, ${done})`,
    );
    await store.command(
      `INSERT INTO quest_completions (generation, account, height, quest, time_ns, done) VALUES ${rows.join(', ')}`,
    );
    await store.close();
    const api = await openApi(() => at(10));
    const answer = await get<{ quests: readonly { id: string; done: boolean }[] }>(api, `/v1/quests/${EVE}`);
    expect(answer).toMatchObject({
      address: EVE,
      completed: 2,
      total: 10,
      last_completed_at: '1970-01-01T00:02:50Z',
    });
    expect(answer.quests.filter(({ done }) => done)).toMatchObject([
      { id: 'faucet', height: 7, at: '1970-01-01T00:02:50Z' },
      { id: 'swap', height: 5, at: '1970-01-01T00:02:10Z' },
    ]);
    expect(await get(api, `/v1/quests/0x${'05'.repeat(20)}`)).toEqual(answer);
    for (const who of [SERVICE, COLLECTOR])
      expect(await get(api, `/v1/quests/${who}`)).toMatchObject({ completed: 0 });
    expect((await api.handle('GET', '/v1/quests/leaderboards')).status).toBe(400);
  });
});
