import { encodeBech32 } from 'strata-kit/address';
import { sha256 } from 'strata-kit/hash';
import { openCapture } from '../../src/chain/capture/reader.ts';
import { createCaptureSource } from '../../src/chain/capture/source.ts';
import { RowReader } from '../../src/core/rowbinary.ts';
import type { TableSpec } from '../../src/core/table.ts';
import { ACCOUNT_TXS, BLOCKS, TX_HASHES, TXS } from '../../src/core/tables.ts';
import { readCheckpoint, writeCheckpoint } from '../../src/store/checkpoints.ts';
import { readFacts } from '../../src/store/facts.ts';
import { countRows, HEIGHT_TABLES } from '../../src/store/repair.ts';
import { SEALED_COUNTS, sealCounts } from '../../src/store/seals.ts';
import { quote } from '../../src/store/sql.ts';
import type { Store, StoreFactory } from '../../src/store/store.ts';
import { indexAll } from './indexing.ts';
import { RECORDING_FOLDER } from './recording.ts';

/**
 * A store of a larger chain than the recorded one, its rows made at the store port: the recording several times over
 * at other heights and with other hashes; an account with a million txs, the older of them as rows of account_txs
 * alone; one with a hundred; and some with about two hundred.
 */
export interface ApiStore {
  readonly head: number;
  readonly txs: number;
  /** Consensus hashes in random order. */
  readonly hashes: readonly string[];
  readonly heights: readonly number[];
  readonly accounts: readonly string[];
  readonly largeAccount: string;
  readonly smallAccount: string;
}

export interface ApiStoreSize {
  readonly copies: number;
  readonly accounts: number;
}

/** The copies start behind it; below lie the older rows of the large account. */
const OFFSET = 300_000;
const LARGE_ACCOUNT_TXS = 1_000_000;
const SMALL_ACCOUNT_TXS = 100;
const ACCOUNT_TXS_ABOUT = 200;
/** Checkpoints below the head, for benches that look at another one with each request. */
export const OLDER_CHECKPOINTS = 2_000;

export async function createApiStore(stores: StoreFactory, size: ApiStoreSize): Promise<ApiStore> {
  const source = createCaptureSource(await openCapture(RECORDING_FOLDER));
  const { latestHeight: period } = await source.head();
  await indexAll(source, stores, period, 1);
  await source.close();
  const store = await stores.open('rows');
  const hrp = (await readFacts(store)).get('hrp') ?? '';
  const account = (name: string) => encodeBech32(hrp, sha256(Buffer.from(name)).subarray(0, 20));

  for (const table of [BLOCKS, TXS, TX_HASHES, ACCOUNT_TXS])
    await copyRows(store, table, period, size.copies);
  const head = OFFSET + period * (size.copies + 1);
  const smallAccount = account('small');
  const largeAccount = account('large');
  const accounts = Array.from({ length: size.accounts }, (_, i) => account(`account ${i}`));
  const txs = await number(store, 'SELECT count() FROM txs');
  const newer = await number(store, `SELECT count() FROM txs WHERE height > ${OFFSET}`);
  const every = (count: number): string => `cityHash64(height, tx_index, account) % ${txs} < ${count}`;
  for (const sql of [
    `SELECT ${quote(largeAccount)}, height, tx_index, method FROM txs WHERE height > ${OFFSET}`,
    `SELECT ${quote(largeAccount)}, intDiv(number, 3) + 1, number % 3, ['/bench.A', '/bench.B', '/bench.C'][number % 3 + 1]
FROM numbers(${LARGE_ACCOUNT_TXS - newer})`,
    `SELECT ${quote(smallAccount)}, height, tx_index, method FROM txs ORDER BY cityHash64(height, tx_index) LIMIT ${SMALL_ACCOUNT_TXS}`,
    `SELECT account, height, tx_index, method FROM txs ARRAY JOIN [${accounts.map(quote).join()}] AS account WHERE ${every(ACCOUNT_TXS_ABOUT)}`,
  ]) {
    await store.command(`INSERT INTO account_txs (account, height, tx_index, method) ${sql}`);
  }
  await finish(store, head);
  const hashes = await strings(store, 'SELECT hex(hash) FROM txs ORDER BY cityHash64(hash)');
  const heights = (
    await strings(store, 'SELECT toString(height) FROM blocks ORDER BY cityHash64(height) LIMIT 5000')
  ).map(Number);
  await store.close();
  return { head, txs, hashes, heights, accounts, largeAccount, smallAccount };
}

async function copyRows(store: Store, table: TableSpec, period: number, copies: number): Promise<void> {
  const columns = table.columns.map(([name]) => name);
  const selected = columns.map((name) => {
    if (name === 'height') return `height + ${OFFSET} + ${period} * copy`;
    return name === 'hash' ? 'SHA256(concat(hash, toString(copy)))' : name;
  });
  for (let from = 1; from <= copies; from += 8) {
    await store.command(
      `INSERT INTO ${table.name} (${columns.join()}) SELECT ${selected.join()} FROM ${table.name} ` +
        `ARRAY JOIN range(${from}, ${Math.min(copies + 1, from + 8)}) AS copy WHERE height <= ${period}`,
    );
  }
}

/** Seals and checkpoints as the writer would have made them, when the background has come to rest. */
async function finish(store: Store, head: number): Promise<void> {
  await store.command(`TRUNCATE TABLE ${SEALED_COUNTS} SETTINGS max_table_size_to_drop = 0`);
  await sealCounts(store, 0, head);
  const checkpoint = await readCheckpoint(store);
  if (checkpoint === undefined) throw new Error('nothing was indexed');
  const rows = await countRows(store, HEIGHT_TABLES);
  await writeCheckpoint(store, { ...checkpoint, height: head, chainHeight: head, rows });
  await store.command(
    `INSERT INTO checkpoints SELECT * REPLACE (height - number - 1 AS height)
FROM checkpoints ARRAY JOIN range(${OLDER_CHECKPOINTS}) AS number WHERE height = ${head}`,
  );
  await atRest(store);
}

/** Resolves when no merge has run for a second. */
export async function atRest(store: Store): Promise<void> {
  for (let quiet = 0; quiet < 5; ) {
    quiet = (await number(store, 'SELECT count() FROM system.merges')) === 0 ? quiet + 1 : 0;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function number(store: Store, sql: string): Promise<number> {
  return new RowReader(await store.query(sql)).u64();
}

async function strings(store: Store, sql: string): Promise<string[]> {
  const rows = new RowReader(await store.query(sql));
  const found: string[] = [];
  while (!rows.done) found.push(rows.string());
  return found;
}
