import { tablesOf } from '../../src/modules/load.ts';
import { MODULES } from '../../src/modules/modules.ts';
import { rightsDerivation } from '../../src/modules/rights/derivation.ts';
import { addRollUps } from '../../src/pipeline/roll-ups.ts';
import { writeCheckpoint } from '../../src/store/checkpoints.ts';
import { migrate } from '../../src/store/migrations.ts';
import { prepareModuleTables } from '../../src/store/module-tables.ts';
import { uintLiteral } from '../../src/store/sql.ts';
import type { Store, StoreFactory } from '../../src/store/store.ts';

/** Assets with one kind each, whose rows are made at the store port. */
export interface HolderStore {
  /** 1,000 holders, as many later changes. */
  readonly small: string;
  /** Changes spread over all holders: each has another place afterwards. */
  readonly large: string;
  /** The ten greatest holders make all changes, one in each block. */
  readonly hot: string;
  readonly head: number;
}

export interface HolderStoreSize {
  readonly holders: number;
  readonly changes: number;
}

const GENERATION = 1;
const ISSUE_BLOCKS = 100;
const HOT_HOLDERS = 10;
const SMALL = 1_000;
const HOLDER = "concat('aeva1', lower(substring(hex(SHA256(toString(number))), 1, 38)))";
const FIRST = 'toInt256(cityHash64(number) % 1000000000000) * 1000000 + 1';
const SECOND = 'toInt256(cityHash64(number, 2) % 1000000000000) * 1000000 + 1';
/** Units of a hot holder i after its k-th change; above all others. */
const hotUnits = (i: string, k: string) =>
  `toInt256('1000000000000000000000000') * (${i} + 1) + cityHash64(${i}, ${k}) % 1000000000000`;

export async function createHolderStore(stores: StoreFactory, size: HolderStoreSize): Promise<HolderStore> {
  const store = await stores.open('rows');
  await migrate(store);
  await prepareModuleTables(store, tablesOf(MODULES));
  const [small, large, hot] = ['a', 'b', 'c'].map((digit) => digit.repeat(64)) as [string, string, string];
  const blocks = Math.ceil(size.changes / HOT_HOLDERS);
  const head = ISSUE_BLOCKS + blocks;
  await addAsset(store, small, SMALL);
  await addAsset(store, large, size.holders);
  await addAsset(store, hot, size.holders);
  await addSpread(store, small, SMALL, SMALL, blocks);
  await addSpread(store, large, size.holders, size.changes, blocks);
  await addHot(store, hot, size.holders, blocks);
  await addIncome(store, large, size.holders);
  const generations = new Map(['asset', 'rights', 'payout', 'encumbrance'].map((name) => [name, GENERATION]));
  for (let from = 0; from < head; from += 4_000) {
    await addRollUps(store, [rightsDerivation], generations, from, Math.min(head, from + 4_000));
  }
  await writeCheckpoint(store, {
    height: head,
    firstHeight: 1,
    blockHash: 'A'.repeat(64),
    blockTimeNs: 0n,
    chainHeight: head,
    rows: new Map(),
    generations,
    tableGenerations: new Map(),
  });
  await store.close();
  return { small, large, hot, head };
}

async function addAsset(store: Store, id: string, holders: number): Promise<void> {
  await store.command(
    `INSERT INTO assets (generation, asset_id, height, status, kind_count) SELECT ${GENERATION}, '${id}', 1, 'ASSET_STATUS_ACTIVE', 1`,
  );
  await store.command(
    `INSERT INTO asset_kinds (generation, asset_id, kind_id, height, class) SELECT ${GENERATION}, '${id}', 0, 1, 'INCOME'`,
  );
  await store.command(
    `INSERT INTO kind_totals (generation, asset_id, kind_id, height, supply, holder_count) SELECT ${GENERATION}, '${id}', 0, 100, 1, ${holders}`,
  );
}

interface Places {
  readonly id: string;
  readonly from: string;
  readonly units: string;
  readonly height: string;
}

async function addPlaces(store: Store, sign: 1 | -1, { id, from, units, height }: Places): Promise<void> {
  await store.command(
    `INSERT INTO holder_order (generation, bucket, asset_id, kind_id, neg, holder, sign, height) ` +
      `SELECT ${GENERATION}, intDiv(at - 1, 64), '${id}', 0, -(${units}), ${HOLDER}, ${sign}, ${height} AS at FROM ${from}`,
  );
}

async function addPositions(store: Store, { id, from, units, height }: Places): Promise<void> {
  await store.command(
    `INSERT INTO positions (generation, asset_id, kind_id, holder, height, units) ` +
      `SELECT ${GENERATION}, '${id}', 0, ${HOLDER}, ${height}, ${units} FROM ${from}`,
  );
}

const ISSUED = `number % ${ISSUE_BLOCKS} + 1`;

async function addSpread(
  store: Store,
  id: string,
  holders: number,
  changes: number,
  blocks: number,
): Promise<void> {
  const issued = { id, from: `numbers(${holders})`, units: FIRST, height: ISSUED };
  const height = `${ISSUE_BLOCKS + 1} + cityHash64(number, 3) % ${blocks}`;
  const changed = { id, from: `numbers(${Math.min(changes, holders)})`, units: SECOND, height };
  await addPlaces(store, 1, issued);
  await addPlaces(store, -1, { ...changed, units: FIRST });
  await addPlaces(store, 1, changed);
  await addPositions(store, issued);
  await addPositions(store, changed);
}

async function addHot(store: Store, id: string, holders: number, blocks: number): Promise<void> {
  const rest = `numbers(${HOT_HOLDERS}, ${holders - HOT_HOLDERS})`;
  await addPlaces(store, 1, { id, from: rest, units: FIRST, height: ISSUED });
  await addPlaces(store, 1, {
    id,
    from: `numbers(${HOT_HOLDERS})`,
    units: hotUnits('number', '0'),
    height: ISSUED,
  });
  const from = `(SELECT number, k FROM numbers(${HOT_HOLDERS}) ARRAY JOIN range(1, ${blocks + 1}) AS k)`;
  const height = `${ISSUE_BLOCKS} + k`;
  await addPlaces(store, -1, { id, from, units: hotUnits('number', 'k - 1'), height });
  await addPlaces(store, 1, { id, from, units: hotUnits('number', 'k'), height });
}

/** A distribution, of which every other holder's basis was settled half-way. */
async function addIncome(store: Store, id: string, holders: number): Promise<void> {
  await store.command(
    `INSERT INTO accruals (generation, asset_id, kind_id, denom, height, income_index, carry_scaled, total_distributed, distributions) ` +
      `SELECT ${GENERATION}, '${id}', 0, 'uusd', 100, '5000000000000000000', '7', toInt256('1000000000000000000000000000000'), 2`,
  );
  await store.command(
    `INSERT INTO settled_income (generation, asset_id, kind_id, account, ref, denom, height, last_index, accrued) ` +
      `SELECT ${GENERATION}, '${id}', 0, ${HOLDER}, '', 'uusd', ${uintLiteral(ISSUE_BLOCKS)}, '3000000000000000000', ${FIRST} ` +
      `FROM numbers(${holders}) WHERE number % 2 = 0`,
  );
}
