import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeBech32 } from 'strata-kit/address';
import type { Snapshot } from '../src/api/route.ts';
import { TableBuilder } from '../src/core/native.ts';
import { RowReader } from '../src/core/rowbinary.ts';
import { plainParameters } from '../src/derive/derivation.ts';
import { createDeriver } from '../src/derive/deriver.ts';
import { NO_MORE_FACTS } from '../src/derive/facts.ts';
import { tablesOf } from '../src/modules/load.ts';
import { MODULE_ROUTES, MODULES } from '../src/modules/modules.ts';
import { QUESTS } from '../src/modules/quests/quests.ts';
import { writeCheckpoint } from '../src/store/checkpoints.ts';
import { openEmbedded } from '../src/store/embedded.ts';
import { writeFacts } from '../src/store/facts.ts';
import { migrate } from '../src/store/migrations.ts';
import { prepareModuleTables } from '../src/store/module-tables.ts';
import { uintLiteral } from '../src/store/sql.ts';
import type { Store } from '../src/store/store.ts';
import { benchFolder } from './support/folders.ts';
import { type Figure, quantile } from './support/report.ts';
import { type ApiParts, readApiParts } from './support/serve-api.ts';

/**
 * The ranking of many accounts, by requests of which none finds anything kept, against the query that it does without:
 * grouping all completions. The figures of memory need --expose-gc.
 */

const HRP = 'aeva';
const HEIGHTS = 1_000_000;
const BLOCK_MS = 1_000;
/** All accounts have completed all quests. */
const ALL = 1;
/** As many each. */
const SPREAD = 2;
const BOARD = '/v1/quests/leaderboard?limit=100';

export async function benchLeaderboard(smoke: boolean): Promise<Figure[]> {
  const accounts = smoke ? 10_000 : 1_000_000;
  const folder = benchFolder();
  const stores = await openEmbedded({ folder });
  try {
    const store = await stores.open('rows');
    const first = await createQuestStore(store, stores.spoolFolder, accounts);
    const parts = await readApiParts(stores);
    const figures = [
      ...(await benchRanking(parts, smoke ? 3 : 20)),
      ...(await benchGrouping(store, smoke ? 2 : 5)),
      ...(await benchAccount(parts, first, smoke ? 20 : 200)),
      ...(await benchRestore(store)),
      ...benchMemory(accounts),
    ];
    await store.close();
    return figures;
  } finally {
    await stores.close();
  }
}

function addressOf(n: number): string {
  const bytes = new Uint8Array(20);
  // spread over all addresses, as keys are
  new DataView(bytes.buffer).setBigUint64(0, BigInt.asUintN(64, BigInt(n + 1) * 0x9e3779b97f4a7c15n));
  new DataView(bytes.buffer).setUint32(8, n);
  return encodeBech32(HRP, bytes);
}

/** Answers one of the accounts. */
async function createQuestStore(store: Store, spool: string, accounts: number): Promise<string> {
  await migrate(store);
  await prepareModuleTables(store, tablesOf(MODULES));
  const spec = {
    name: 'bench_accounts',
    columns: [
      ['n', 'UInt64'],
      ['account', 'String'],
    ],
  } as const;
  const builder = new TableBuilder(spec);
  for (let n = 0; n < accounts; n++) {
    builder.columns.n.u64(n);
    builder.columns.account.text(addressOf(n));
    builder.rows++;
  }
  const path = join(spool, 'accounts.native');
  await writeFile(path, builder.finish());
  await store.command('CREATE TABLE bench_accounts (n UInt64, account String) ENGINE = Memory');
  await store.insertNativeFiles(spec.name, ['n', 'account'], [path]);
  await addCompletions(store, ALL, String(QUESTS.length));
  await addCompletions(store, SPREAD, `n % ${QUESTS.length} + 1`);
  await store.command('DROP TABLE bench_accounts');
  const timeNs = (height: string) => `toInt64(${height}) * ${BLOCK_MS} * 1000000`;
  await store.command(
    `INSERT INTO blocks (height, time_ns) SELECT number + 1, ${timeNs('number + 1')} FROM numbers(${HEIGHTS})`,
  );
  await writeFacts(
    store,
    new Map([
      ['chain_id', 'bench'],
      ['hrp', HRP],
      ['namespace', HRP],
    ]),
  );
  await writeCheckpoint(store, {
    height: HEIGHTS,
    firstHeight: 1,
    blockHash: 'A'.repeat(64),
    blockTimeNs: BigInt(HEIGHTS) * BigInt(BLOCK_MS) * 1_000_000n,
    chainHeight: HEIGHTS,
    rows: new Map(),
    generations: new Map([['quests', ALL]]),
    tableGenerations: new Map(),
  });
  return addressOf(0);
}

/** Each account completes its quests one after the other, each in a tenth of the heights. */
async function addCompletions(store: Store, generation: number, quests: string): Promise<void> {
  const tenth = HEIGHTS / QUESTS.length;
  const at = `k * ${tenth} + cityHash64(n, k) % ${tenth} + 1`;
  const ids = QUESTS.map(({ id }) => `'${id}'`).join(', ');
  const from = `(SELECT n, account, k, ${at} AS at FROM bench_accounts ARRAY JOIN range(toUInt64(${quests})) AS k)`;
  const time = `toInt64(at) * ${BLOCK_MS} * 1000000`;
  await store.command(
    `INSERT INTO quest_completions (generation, account, height, quest, time_ns, done) ` +
      `SELECT ${generation}, account, at, [${ids}][k + 1], ${time}, bitShiftLeft(toUInt32(1), k + 1) - 1 FROM ${from}`,
  );
  await store.command(
    `INSERT INTO quest_standings (generation, missing, height, account, time_ns) ` +
      `SELECT ${generation}, ${QUESTS.length} - 1 - k, at, account, ${time} FROM ${from}`,
  );
}

async function benchRanking(parts: ApiParts, rounds: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [generation, name] of [
    [ALL, 'all quests each'],
    [SPREAD, '1 to 10 quests each'],
  ] as const) {
    const snapshot: Snapshot = { ...parts.snapshot, generations: new Map([['quests', generation]]) };
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const api = await parts.create({
        cacheBytes: 1,
        routes: MODULE_ROUTES,
        snapshots: () => snapshot,
        readers: 1,
      });
      times.push(await timed(api, BOARD));
    }
    figures.push(
      { name: `ranking, ${name}, p50`, value: quantile(times, 0.5), unit: 'ms' },
      { name: '  slowest', value: Math.max(...times), unit: 'ms', aim: '≤ 2,000' },
    );
  }
  return figures;
}

async function benchGrouping(store: Store, rounds: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [generation, name] of [
    [ALL, 'all quests each'],
    [SPREAD, '1 to 10 quests each'],
  ] as const) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const startedMs = performance.now();
      await store.query(
        `SELECT count() AS completed, max(height) AS reached, account FROM quest_completions ` +
          `WHERE generation = ${generation} AND height <= ${uintLiteral(HEIGHTS)} ` +
          'GROUP BY account ORDER BY completed DESC, reached, account LIMIT 100',
      );
      times.push(performance.now() - startedMs);
    }
    figures.push({
      name: `grouping all completions instead, ${name}, p50`,
      value: quantile(times, 0.5),
      unit: 'ms',
    });
  }
  return figures;
}

async function benchAccount(parts: ApiParts, account: string, rounds: number): Promise<Figure[]> {
  const api = await parts.create({ cacheBytes: 1, routes: MODULE_ROUTES });
  const times: number[] = [];
  for (let round = -10; round < rounds; round++) {
    const ms = await timed(api, `/v1/quests/${account}`);
    if (round >= 0) times.push(ms);
  }
  return [
    { name: 'quests of an account, p50', value: quantile(times, 0.5), unit: 'ms' },
    { name: '  p99', value: quantile(times, 0.99), unit: 'ms' },
  ];
}

/** What a writer reads back at its start. */
async function benchRestore(store: Store): Promise<Figure[]> {
  const startedMs = performance.now();
  const rows = new RowReader(
    await store.query(
      `SELECT account, done FROM quest_completions WHERE generation = ${ALL} ORDER BY account, height DESC LIMIT 1 BY account`,
      { timeoutSeconds: 600 },
    ),
  );
  const done = new Map<string, number>();
  while (!rows.done) done.set(rows.string(), rows.u32());
  return [
    { name: 'accounts read back at a start', value: done.size, unit: '' },
    { name: '  in', value: (performance.now() - startedMs) / 1000, unit: 's' },
  ];
}

/** Heap of the derivation an account that has completed a quest. */
function benchMemory(accounts: number): Figure[] {
  const { gc } = globalThis;
  if (gc === undefined) return [];
  const derivations = MODULES.flatMap(({ derivation }) => derivation ?? []);
  const parameters = plainParameters(HRP, HRP, 'uusd');
  const deriver = createDeriver({ derivations, parameters, generations: new Map() });
  const held = (): number => {
    gc();
    gc();
    return process.memoryUsage().heapUsed;
  };
  const perBlock = 1_000;
  const before = held();
  for (let height = 1; height <= accounts / perBlock; height++) {
    const evmTxs = Array.from({ length: perBlock }, (_, txIndex) => ({
      txIndex,
      msgIndex: 0,
      sender: (BigInt(height * perBlock + txIndex) * 0x9e3779b97f4a7c15n).toString(16).padStart(40, '0'),
    }));
    const block = { ...NO_MORE_FACTS, height, timeNs: BigInt(height), events: [], txCount: perBlock, evmTxs };
    deriver.derive([block]);
  }
  return [{ name: 'heap an account with a quest', value: (held() - before) / accounts, unit: 'bytes' }];
}

async function timed(api: Awaited<ReturnType<ApiParts['create']>>, target: string): Promise<number> {
  const startedMs = performance.now();
  const { status, body } = await api.handle('GET', target);
  if (status !== 200) throw new Error(`status ${status} of ${target}: ${Buffer.from(body).toString()}`);
  return performance.now() - startedMs;
}
