import { chainSection } from 'strata-devnet/chain-section';
import { formatTimeNs } from 'strata-kit/time';
import { beforeAll, describe, expect, it } from 'vitest';
import { RowReader } from '../../src/core/rowbinary.ts';
import { QUEST_IDS } from '../../src/modules/quests/quest.ts';
import type { IndexedDevnet } from '../support/devnet-index.ts';
import { referenceWorld } from '../support/worlds.ts';
import { type First, type Leniency, linesOfFirst, questsOf } from './support/quests.ts';

interface QuestResult {
  readonly address: string;
  readonly completed: number;
  readonly total: number;
  readonly last_completed_at?: string;
  readonly quests: readonly { id: string; done: boolean; height?: number; at?: string }[];
  readonly recognition: string;
}

interface Leaderboard {
  readonly rows: readonly {
    rank: number;
    address: string;
    evm_address: string | null;
    completed: number;
    reached_height: number;
    reached_at: string;
  }[];
  readonly quests: number;
  readonly computed_at: string;
}

describe('quests of the workload', () => {
  let index: IndexedDevnet;
  let first: First;
  let lines: readonly string[];

  const chainOf = (lenient?: Leniency): First => {
    const { parameters } = index.devnet.app;
    const { faucet, evm } = chainSection(parameters);
    const of = { hrp: parameters.hrp, faucet, factory: evm.factory, lendingMarket: evm.lendingMarket };
    return questsOf(index.devnet, index.height, of, lenient);
  };
  const timeOf = (height: number): bigint => index.devnet.chain.block(height)?.header.timeNs ?? 0n;

  beforeAll(async () => {
    index = await referenceWorld();
    first = chainOf();
    lines = linesOfFirst(first);
  }, 120_000);

  it('are all completed by somebody', () => {
    expect([...first.keys()].sort()).toEqual([...QUEST_IDS].sort());
  });

  it('are in the store what the chain tells, row for row', async () => {
    const store = await index.api.stores.open('look');
    const rows = new RowReader(
      await store.query('SELECT account, toString(quest), height, time_ns FROM quest_completions_history'),
    );
    const stored: string[] = [];
    while (!rows.done) {
      const [account, quest, height, timeNs] = [rows.string(), rows.string(), rows.u64(), rows.i64big()];
      expect(timeNs).toBe(timeOf(height));
      stored.push(`${account} ${quest} ${height}`);
    }
    await store.close();
    expect(stored.sort()).toEqual(lines);
  });

  /** The workload has both, so that the rows above would be others. */
  it.each<keyof Leniency>(['failedMessages', 'anyClass'])('would be others with %s', (name) => {
    expect(linesOfFirst(chainOf({ [name]: true }))).not.toEqual(lines);
  });

  it('are answered by account', async () => {
    const accounts = new Set(lines.map((line) => line.split(' ')[0] ?? ''));
    const { serviceAccounts } = chainSection(index.devnet.app.parameters);
    const left = new Set([...(await moduleAccountsOf(index)), ...serviceAccounts]);
    expect(accounts.size).toBeGreaterThan(10);
    for (const account of accounts) {
      const answer = await index.api.get<QuestResult>(`/v1/quests/${account}`);
      const done = left.has(account)
        ? []
        : QUEST_IDS.flatMap((id) => {
            const height = first.get(id)?.get(account);
            return height === undefined ? [] : [[id, height] as const];
          });
      expect(answer.address).toBe(account);
      expect(answer.quests.map(({ id }) => id)).toEqual([...QUEST_IDS]);
      expect(answer.quests.filter((quest) => quest.done).map(({ id, height }) => [id, height])).toEqual(done);
      for (const quest of answer.quests) {
        expect(quest.at).toBe(quest.height === undefined ? undefined : formatTimeNs(timeOf(quest.height)));
      }
      expect([answer.completed, answer.total]).toEqual([done.length, 10]);
      const last = Math.max(...done.map(([, height]) => height));
      expect(answer.last_completed_at).toBe(done.length === 0 ? undefined : formatTimeNs(timeOf(last)));
    }
  });

  it('rank accounts as of the first block of the minute', async () => {
    const moduleAccounts = await moduleAccountsOf(index);
    const { serviceAccounts } = chainSection(index.devnet.app.parameters);
    const left = new Set([...moduleAccounts, ...serviceAccounts]);
    const seen = new Set<string>();
    const minuteOf = (height: number): bigint => timeOf(height) / 60_000_000_000n;
    for (let round = 0; round < 2; round++) {
      let at = index.height;
      while (at > 1 && minuteOf(at - 1) === minuteOf(at)) at--;
      const expected = rankedAt(chainOf(), at).filter(({ address }) => !left.has(address));
      const board = await index.api.get<Leaderboard>('/v1/quests/leaderboard?limit=100');
      expect(board.computed_at).toBe(formatTimeNs(timeOf(at)));
      expect(board.quests).toBe(10);
      expect(expected.length).toBeGreaterThan(10);
      expect(
        board.rows.map(({ rank, address, completed, reached_height, reached_at }) => ({
          rank,
          address,
          completed,
          reached_height,
          reached_at,
        })),
      ).toEqual(
        expected.slice(0, 100).map((row, i) => ({
          rank: i + 1,
          ...row,
          reached_at: formatTimeNs(timeOf(row.reached_height)),
        })),
      );
      const some = await index.api.get<Leaderboard>('/v1/quests/leaderboard?limit=3');
      expect(some.rows).toEqual(board.rows.slice(0, 3));
      const byDefault = await index.api.get<Leaderboard>('/v1/quests/leaderboard');
      expect(byDefault.rows).toEqual(board.rows.slice(0, 50));
      seen.add(board.computed_at);
      const minute = minuteOf(index.height);
      if (round === 0) await index.goOn(1, () => minuteOf(index.height) > minute);
    }
    expect(seen.size).toBeGreaterThan(1);
  });
});

/** As of a height. */
function rankedAt(first: First, at: number) {
  const heights = new Map<string, number[]>();
  for (const accounts of first.values()) {
    for (const [account, height] of accounts) {
      if (height <= at) heights.set(account, [...(heights.get(account) ?? []), height]);
    }
  }
  return [...heights]
    .map(([address, of]) => ({ address, completed: of.length, reached_height: Math.max(...of) }))
    .sort(
      (a, b) =>
        b.completed - a.completed ||
        a.reached_height - b.reached_height ||
        (a.address < b.address ? -1 : a.address > b.address ? 1 : 0),
    );
}

async function moduleAccountsOf({ api }: IndexedDevnet): Promise<readonly string[]> {
  const store = await api.stores.open('facts');
  const rows = new RowReader(
    await store.query("SELECT argMax(value, version) FROM facts WHERE key = 'module_accounts'"),
  );
  const text = rows.string();
  await store.close();
  return JSON.parse(text) as string[];
}
