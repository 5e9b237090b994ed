import { tablesOf } from '../../src/modules/load.ts';
import { MODULES } from '../../src/modules/modules.ts';
import { writeCheckpoint } from '../../src/store/checkpoints.ts';
import { writeFacts } from '../../src/store/facts.ts';
import { migrate } from '../../src/store/migrations.ts';
import { prepareModuleTables } from '../../src/store/module-tables.ts';
import { uintLiteral } from '../../src/store/sql.ts';
import type { Store, StoreFactory } from '../../src/store/store.ts';
import { atRest } from './api-store.ts';

/** Two assets with a pool each over the same 30 days, whose rows are made at the store port, commit by commit. */
export interface PriceStore {
  readonly small: string;
  readonly large: string;
}

const GENERATION = 1;
export const DAYS = 30;
/** A block a second, commits of 40,000. */
const BLOCKS = DAYS * 86_400;
const COMMIT_BLOCKS = 40_000;
const START_SECONDS = 1_790_000_123;
const STABLE = 'aa'.repeat(20);

interface Pool {
  readonly asset: string;
  readonly bundle: string;
  readonly pair: string;
  readonly syncs: number;
}

export async function createPriceStore(stores: StoreFactory, syncs: number): Promise<PriceStore> {
  const store = await stores.open('rows');
  await migrate(store);
  await prepareModuleTables(store, tablesOf(MODULES));
  await writeFacts(
    store,
    new Map([
      ['stable_denom', 'uusd'],
      ['evm_stable', `0x${STABLE}`],
    ]),
  );
  const small = { asset: '0a'.repeat(32), bundle: '11'.repeat(20), pair: '21'.repeat(20), syncs: 1_000 };
  const large = { asset: '0b'.repeat(32), bundle: 'ee'.repeat(20), pair: '32'.repeat(20), syncs };
  const pools = [small, large];
  for (const pool of pools) await addPool(store, pool);
  for (let block = 0; block < BLOCKS; block += COMMIT_BLOCKS) {
    const end = Math.min(BLOCKS, block + COMMIT_BLOCKS);
    const both = (select: (pool: Pool, from: string) => string) =>
      pools.map((pool) => select(pool, rowsOf(pool, block, end))).join(' UNION ALL ');
    await store.command(`INSERT INTO dex_syncs ${both(syncsOf)}`);
    await store.command(`INSERT INTO dex_swaps ${both(swapsOf)}`);
  }
  await writeCheckpoint(store, {
    height: BLOCKS,
    firstHeight: 1,
    blockHash: 'A'.repeat(64),
    blockTimeNs: BigInt(START_SECONDS + BLOCKS) * 1_000_000_000n,
    chainHeight: BLOCKS,
    rows: new Map(),
    generations: new Map(['asset', 'dex'].map((name) => [name, GENERATION])),
    tableGenerations: new Map(),
  });
  await atRest(store);
  await store.close();
  return { small: small.asset, large: large.asset };
}

async function addPool(store: Store, { asset, bundle, pair }: Pool): Promise<void> {
  await store.command(
    'INSERT INTO assets (generation, asset_id, height, status, kind_count, bundle_address) ' +
      `SELECT ${GENERATION}, '${asset}', 1, 'ASSET_STATUS_ACTIVE', 1, unhex('${bundle}')`,
  );
  await store.command(
    'INSERT INTO asset_kinds (generation, asset_id, kind_id, height, class, decimals, bundle) ' +
      `SELECT ${GENERATION}, '${asset}', 0, 1, 'ECONOMIC', 6, 1`,
  );
  const [token0, token1] = [bundle, STABLE].sort();
  await store.command(
    'INSERT INTO dex_pairs (generation, pair, token0, token1, height) ' +
      `SELECT ${GENERATION}, '0x${pair}', '0x${token0}', '0x${token1}', 1`,
  );
}

/** The pool's Syncs of the blocks above one and not above another: each stands in block(n), evenly spread. */
function rowsOf({ syncs }: Pool, fromBlock: number, toBlock: number): string {
  const first = Math.ceil((fromBlock * syncs) / BLOCKS);
  const end = Math.ceil((toBlock * syncs) / BLOCKS);
  return `numbers(${uintLiteral(first)}, ${uintLiteral(end - first)})`;
}

function syncsOf({ pair, syncs }: Pool, from: string): string {
  const height = (n: string) => `intDiv((${n}) * ${BLOCKS}, ${syncs}) + 1`;
  const time = (n: string) => `toInt64(${START_SECONDS} + ${height(n)})`;
  const reserve = (n: string, salt: number) =>
    `toUInt256(1000000000000 + cityHash64(${n}, ${salt}) % 1000000000)`;
  const before = 'number - 1';
  const isShown = `number > 0 AND intDiv(${time('number')}, 10) != intDiv(${time(before)}, 10)`;
  const ifShown = (value: string, none: string) => `if(${isShown}, ${value}, ${none})`;
  return (
    `SELECT ${GENERATION} AS generation, '0x${pair}' AS pair, toUInt32(intDiv(${time('number')}, 10)) AS slot, ` +
    `${height('number')} AS height, toUInt32(0) AS tx_index, toUInt32(number % 1000000) AS log_index, ` +
    `${time('number')} * 1000000000 AS time_ns, ${reserve('number', 0)} AS reserve0, ${reserve('number', 1)} AS reserve1, ` +
    `${ifShown(`${time(before)} * 1000000000`, 'toInt64(0)')} AS before_time_ns, ` +
    `${ifShown(reserve(before, 0), 'toUInt256(0)')} AS before_reserve0, ` +
    `${ifShown(reserve(before, 1), 'toUInt256(0)')} AS before_reserve1 FROM ${from}`
  );
}

/** Of 7 in and 5 out each. */
function swapsOf({ pair, syncs }: Pool, from: string): string {
  const height = `intDiv(number * ${BLOCKS}, ${syncs}) + 1`;
  return (
    `SELECT ${GENERATION} AS generation, '0x${pair}' AS pair, ${height} AS height, toUInt32(0) AS tx_index, ` +
    `toUInt32(number % 1000000) AS log_index, toInt64(${START_SECONDS} + ${height}) * 1000000000 AS time_ns, ` +
    `'0x${'5e'.repeat(20)}' AS sender, '0x${'7e'.repeat(20)}' AS recipient, toUInt256(7) AS amount0_in, ` +
    'toUInt256(0) AS amount1_in, toUInt256(0) AS amount0_out, toUInt256(5) AS amount1_out, ' +
    `toUInt256(7 * (number + 1)) AS volume0, toUInt256(5 * (number + 1)) AS volume1, number + 1 AS swaps FROM ${from}`
  );
}
