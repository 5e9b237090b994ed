import type { Api } from '../src/api/api.ts';
import { createCursorCodec } from '../src/api/cursor.ts';
import type { Snapshot } from '../src/api/route.ts';
import { TX_COLUMNS } from '../src/api/rows.ts';
import { createChainTotals } from '../src/api/totals.ts';
import { RowReader } from '../src/core/rowbinary.ts';
import type { StoreFactory } from '../src/store/store.ts';
import { type ApiStore, OLDER_CHECKPOINTS } from './support/api-store.ts';
import { type Figure, quantile } from './support/report.ts';
import { runLoad } from './support/run-load.ts';
import { type ApiParts, withServer } from './support/serve-api.ts';

/** What must not grow: with the depth of a page, with the size of an account, with those who ask at once. */

const CONNECTIONS = 64;
const PAGE_SIZE = 10;
const DEEP_PAGE = 10_000;

/** 64 connections that ask for random different txs against one bare point query at a time. */
export async function benchManyTxs(
  stores: StoreFactory,
  parts: ApiParts,
  data: ApiStore,
  seconds: number,
): Promise<Figure[]> {
  const store = await stores.open('bare');
  const keys = await randomKeys(stores);
  const bareRate = async (): Promise<{ rate: number; cpuMs: number }> => {
    const startedCpu = process.cpuUsage();
    const startedMs = performance.now();
    const endMs = startedMs + seconds * 1000;
    let queries = 0;
    while (performance.now() < endMs) {
      const [height, index] = keys[queries++ % keys.length] ?? [0, 0];
      await store.query(`SELECT ${TX_COLUMNS} FROM txs WHERE height = ${height} AND tx_index = ${index}`);
    }
    const rate = (queries / (performance.now() - startedMs)) * 1000;
    return { rate, cpuMs: cpuMsSince(startedCpu) / queries };
  };
  await bareRate();
  const before = await bareRate();
  const api = await parts.create();
  const targets = data.hashes.map((hash) => `/v1/txs/${hash}`);
  const startedCpu = process.cpuUsage();
  const many = await withServer(api, (url) => runLoad({ url, connections: CONNECTIONS, seconds, targets }));
  const cpuMs = cpuMsSince(startedCpu) / many.requests;
  const after = await bareRate();
  const bare = (before.rate + after.rate) / 2;
  const bareCpuMs = (before.cpuMs + after.cpuMs) / 2;
  await store.close();
  const rate = many.requests / many.seconds;
  return [
    { name: 'bare point queries (a tx row by its key), one at a time', value: bare, unit: 'queries/s' },
    { name: `random txs over ${CONNECTIONS} connections`, value: rate, unit: 'requests/s' },
    { name: '  p99', value: many.p99Ms, unit: 'ms' },
    { name: 'random txs ÷ bare point queries', value: rate / bare, unit: 'ratio', aim: '≥ 8' },
    { name: '  CPU of a bare query ÷ of a request (a core each)', value: bareCpuMs / cpuMs, unit: 'ratio' },
  ];
}

function cpuMsSince(started: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}

/** A page far behind the newest one against the newest, and a large account's page against a small one's. */
export async function benchGrowth(
  stores: StoreFactory,
  parts: ApiParts,
  data: ApiStore,
  samples: number,
): Promise<Figure[]> {
  const older = Math.min(samples * 4, OLDER_CHECKPOINTS);
  let requests = 0;
  const snapshots = (): Snapshot => ({
    ...parts.snapshot,
    indexedHeight: data.head - older + (requests++ % older) + 1,
  });
  const api = await parts.create({ snapshots, cacheBytes: 1 });
  const first = `/v1/txs?limit=${PAGE_SIZE}`;
  const deepPage = Math.min(DEEP_PAGE, Math.floor(data.txs / PAGE_SIZE) - 1);
  const deep = `${first}&cursor=${await cursorOfPage(stores, parts, deepPage)}`;
  const account = (address: string) => `/v1/accounts/${address}/txs?limit=20`;
  const [shallowMs, deepMs] = await inTurns(api, first, deep, samples);
  const [smallMs, largeMs] = await inTurns(
    api,
    account(data.smallAccount),
    account(data.largeAccount),
    samples,
  );
  return [
    { name: `page 1 of ${first}, p99`, value: quantile(shallowMs, 0.99), unit: 'ms' },
    ...ratios(`page ${deepPage} ÷ page 1`, deepMs, shallowMs, '≤ 1.2'),
    { name: 'page of an account with 100 txs, p99', value: quantile(smallMs, 0.99), unit: 'ms' },
    ...ratios('page of an account with 1,000,000 txs ÷ 100 txs', largeMs, smallMs, '≤ 2'),
  ];
}

function ratios(name: string, of: readonly number[], to: readonly number[], aim: string): Figure[] {
  const at = (share: number) => quantile(of, share) / quantile(to, share);
  return [
    { name: `${name}, p99`, value: at(0.99), unit: 'ratio', aim },
    { name: `${name}, p50`, value: at(0.5), unit: 'ratio' },
  ];
}

async function inTurns(api: Api, a: string, b: string, samples: number): Promise<[number[], number[]]> {
  const times: [number[], number[]] = [[], []];
  for (let i = -10; i < samples; i++) {
    for (const which of i % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const startedMs = performance.now();
      const { status } = await api.handle('GET', which === 0 ? a : b);
      if (status !== 200) throw new Error(`status ${status}`);
      if (i >= 0) times[which].push(performance.now() - startedMs);
    }
  }
  return times;
}

/** The cursor that leads to the n-th page of /v1/txs. */
async function cursorOfPage(stores: StoreFactory, parts: ApiParts, page: number): Promise<string> {
  const store = await stores.open('cursor');
  const row = new RowReader(
    await store.query(
      `SELECT height, tx_index FROM txs ORDER BY height DESC, tx_index DESC LIMIT 1 OFFSET ${(page - 1) * PAGE_SIZE - 1}`,
    ),
  );
  await store.close();
  return createCursorCodec(parts.cursorKey).encode(['/v1/txs', '', ''], {
    kind: 'next',
    key: { height: row.u64(), txIndex: row.u32() },
  });
}

async function randomKeys(stores: StoreFactory): Promise<[number, number][]> {
  const store = await stores.open('keys');
  const rows = new RowReader(
    await store.query('SELECT height, tx_index FROM txs ORDER BY cityHash64(height, tx_index) LIMIT 5000'),
  );
  const keys: [number, number][] = [];
  while (!rows.done) keys.push([rows.u64(), rows.u32()]);
  await store.close();
  return keys;
}

/** The first total after a start reads a row a commit and method: here of a chain that was followed block by block. */
export async function benchFirstTotals(
  stores: StoreFactory,
  data: ApiStore,
  blocks: number,
): Promise<Figure[]> {
  const store = await stores.open('totals');
  await store.command(
    `INSERT INTO txs_per_method SELECT number, method, 1 FROM numbers(1, ${blocks}) ARRAY JOIN ['/a', '/b', '/c'] AS method`,
  );
  const times: number[] = [];
  for (let i = 0; i < 5; i++) {
    const startedMs = performance.now();
    await createChainTotals()(data.head + blocks, (sql) => store.query(sql));
    times.push(performance.now() - startedMs);
  }
  await store.close();
  return [
    {
      name: `first totals after a start, ${blocks.toLocaleString('en')} one-block commits of 3 methods, p50`,
      value: quantile(times, 0.5),
      unit: 'ms',
    },
  ];
}
