import { join } from 'node:path';
import { RowReader } from '../src/core/rowbinary.ts';
import { DECODED_TABLES } from '../src/core/tables.ts';
import type { DecodedRange } from '../src/decode/range.ts';
import { startWriterThread } from '../src/pipeline/writer-thread.ts';
import { openEmbedded } from '../src/store/embedded.ts';
import { createMergePolicy } from '../src/store/merge-policy.ts';
import { migrate } from '../src/store/migrations.ts';
import type { Store, StoreFactory } from '../src/store/store.ts';
import { startChild } from './support/child.ts';
import { engineCpu, idleMsPerSecond, untilMerged } from './support/engine-cpu.ts';
import { benchFolder } from './support/folders.ts';
import { COMMIT_LIMITS } from './support/indexing.ts';
import { decodeRanges, nativeBytesOf, type ReadyCommit, spoolCommits } from './support/ready-commits.ts';
import type { Figure } from './support/report.ts';

/** No commit is cut short by time here: its size is what both sides share. */
const LIMITS = { ...COMMIT_LIMITS, commitMs: 600_000 };
const FAR_BEHIND_BLOCKS = 1_000_000;

/**
 * The engine alone: blocks that are decoded already go into a fresh store at the backfill's commit size, and merges are
 * waited for. CPU of the process a MB of raw input, without what it uses idle; and the rows/s of the writer against
 * the same inserts without it, in the same order, before and after.
 */
export async function benchInsert(blocks: number, idleSeconds: number): Promise<Figure[]> {
  const node = await startChild(new URL('./support/stretched-node.js', import.meta.url), [String(blocks)]);
  const ranges = await decodeRanges(node.ready, blocks);
  await node.stop();
  const commits = await spoolCommits(ranges, join(benchFolder(), 'ready'), LIMITS);
  const before = await withStore((store) => insertReady(store, commits, idleSeconds));
  const rows = ranges.reduce(
    (sum, { tables }) => sum + tables.reduce((all, table) => all + table.rows, 0),
    0,
  );
  const writerSeconds = await withStore((store, stores) => runWriter(store, stores, ranges));
  const after = await withStore((store) => insertReady(store, commits, idleSeconds));
  const readySeconds = (before.seconds + after.seconds) / 2;
  const rawMb = commits.reduce((sum, { rawBytes }) => sum + rawBytes, 0) / 1e6;
  const perMb = (ms: number): number => ms / rawMb;
  const cpu = (name: string, value: number, aim?: string): Figure => ({
    name,
    value: perMb(value),
    unit: 'ms CPU/MB raw',
    ...(aim === undefined ? {} : { aim }),
  });
  return [
    ...[...before.tables].map(([table, ms]) => cpu(`insert ${table}`, ms)),
    cpu('insert', before.insertMs),
    cpu('merge during the backfill', before.mergeMs),
    cpu('merge at the head, until merged', before.finalMergeMs),
    cpu('insert + merge', before.insertMs + before.mergeMs + before.finalMergeMs, '≤ 5'),
    { name: 'inserts alone', value: rows / readySeconds, unit: 'rows/s' },
    { name: 'writer', value: rows / writerSeconds, unit: 'rows/s' },
    { name: 'writer ÷ inserts alone', value: readySeconds / writerSeconds, unit: 'ratio', aim: '≥ 0.7' },
    ...before.disk,
  ];
}

async function withStore<T>(use: (store: Store, stores: StoreFactory) => Promise<T>): Promise<T> {
  const stores = await openEmbedded({ folder: benchFolder() });
  try {
    return await use(await stores.open('bench'), stores);
  } finally {
    await stores.close();
  }
}

async function insertReady(store: Store, commits: readonly ReadyCommit[], idleSeconds: number) {
  await migrate(store);
  const policy = createMergePolicy(store);
  await policy.follow(FAR_BEHIND_BLOCKS);
  const idle = await idleMsPerSecond(idleSeconds);
  const tables = new Map<string, number>();
  const started = engineCpu();
  const startedMs = performance.now();
  for (const { files } of commits) {
    for (const { name, columns } of DECODED_TABLES) {
      const file = files.get(name);
      if (file === undefined) continue;
      const from = engineCpu();
      const names = columns.map(([column]) => column);
      await store.insertNativeFiles(name, names, [file.path]);
      const to = engineCpu();
      const usedMs = to.allMs - from.allMs - (to.mergeMs - from.mergeMs);
      tables.set(name, (tables.get(name) ?? 0) + usedMs);
    }
  }
  const seconds = (performance.now() - startedMs) / 1000;
  const inserted = engineCpu();
  await policy.follow(0);
  await untilMerged(store);
  const merged = engineCpu();
  const mergeMs = inserted.mergeMs - started.mergeMs;
  return {
    seconds,
    tables,
    mergeMs,
    insertMs: inserted.allMs - started.allMs - mergeMs - idle * seconds,
    finalMergeMs: merged.mergeMs - inserted.mergeMs,
    disk: await diskFigures(store),
  };
}

/** The writer thread is fed so that a commit's worth waits while another is inserted, as in a backfill. */
async function runWriter(
  store: Store,
  stores: StoreFactory,
  ranges: readonly DecodedRange[],
): Promise<number> {
  const committed: (() => void)[] = [];
  let uncommittedBytes = 0;
  const setup = { spoolFolder: stores.spoolFolder, limits: LIMITS };
  const writer = await startWriterThread(store, setup, ({ nativeBytes }) => {
    uncommittedBytes -= nativeBytes;
    for (const wake of committed.splice(0)) wake();
  });
  const startedMs = performance.now();
  for (const range of ranges) {
    while (uncommittedBytes >= 2 * LIMITS.commitBytes) {
      await writer.orFailure(new Promise<void>((resolve) => committed.push(resolve)));
    }
    uncommittedBytes += nativeBytesOf(range);
    writer.push(range, FAR_BEHIND_BLOCKS, false);
  }
  await writer.finish();
  return (performance.now() - startedMs) / 1000;
}

/** Sorted by hash or account, copies of one recording lie side by side: those tables come out too small here. */
async function diskFigures(store: Store): Promise<Figure[]> {
  const rows = new RowReader(
    await store.query(`SELECT table, sum(bytes_on_disk), sum(rows) FROM system.parts
WHERE active AND database = currentDatabase() GROUP BY table ORDER BY table`),
  );
  const tables = new Map<string, { readonly bytes: number; readonly rows: number }>();
  while (!rows.done) tables.set(rows.string(), { bytes: rows.u64(), rows: rows.u64() });
  const all = [...tables.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  const perRow = (what: string, bytes: number, table: string, unit: string): Figure => ({
    name: `disk, ${what}`,
    value: bytes / (tables.get(table)?.rows ?? Number.NaN),
    unit,
  });
  return [
    perRow('all tables', all, 'txs', 'bytes/tx'),
    perRow('all tables', all, 'events', 'bytes/event'),
    perRow('table txs', tables.get('txs')?.bytes ?? Number.NaN, 'txs', 'bytes/tx'),
    perRow('table events', tables.get('events')?.bytes ?? Number.NaN, 'events', 'bytes/event'),
  ];
}
