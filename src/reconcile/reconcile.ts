import type { BlockSource } from '../chain/source.ts';
import { ASSET_KINDS, ASSETS } from '../modules/asset/tables.ts';
import type { CheckRow } from '../modules/reconciliation/checks.ts';
import { quote } from '../store/sql.ts';
import type { StoreFactory } from '../store/store.ts';
import type { CheckContext, CheckedAsset } from './checks/context.ts';
import { checkKinds } from './checks/kinds.ts';
import { checkNonces } from './checks/nonces.ts';
import { checkRoutes } from './checks/routes.ts';
import { checkTokens } from './checks/tokens.ts';
import { compareModule } from './compare-module.ts';
import { type ComparedExport, MODULE_EXPORTS } from './exports.ts';
import { openComparison, type Unserved } from './opened.ts';
import { pruneChecks } from './prune.ts';
import { nextSequence, storeChecks, storeRun, type Tally } from './rows.ts';
import { throwIfAborted } from './turn.ts';

export interface ReconcileOptions {
  readonly stores: StoreFactory;
  readonly source: BlockSource;
  /** First segment of the modules' packages, for a store that does not tell. */
  readonly namespace: string;
  /** One that the store holds; the newest that both have by default. */
  readonly height?: number | undefined;
  /** This asset alone. */
  readonly assetId?: string | undefined;
  /** Also every module's whole state. */
  readonly deep?: boolean | undefined;
  /** Take rows out that agree and that newer ones have followed (prune.ts); for who may delete. */
  readonly prune?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly nowMs: () => number;
}

export interface Reconciliation extends Tally {
  readonly sequence: number;
  readonly height: number;
  /** Those that disagree all, the others up to MAX_REPORTED_ROWS. */
  readonly rows: readonly CheckRow[];
  /** How many rows are not listed. */
  readonly leftOut: number;
  readonly unserved: readonly Unserved[];
  /** Of a deep run: what each module's export gave. */
  readonly exports: readonly ComparedExport[];
}

/** Assets whose rows are read and stored together. */
const BATCH_ASSETS = 100;
export const MAX_REPORTED_ROWS = 5_000;

/**
 * Asks the chain for its own numbers as of a height, holds them against the store's, and stores a row a comparison
 * (modules.md section 5). Undefined where the store derives no modules. What the chain does not serve is no failure;
 * rows that were made before a failure stay, as they are true.
 *
 * Errors: those of the source when no node can be asked, chain_id_mismatch, store_empty, config_invalid for a height
 * that the store does not hold, store_busy where the modules were derived again or rows taken back meanwhile, those of
 * the store.
 */
export async function reconcile(options: ReconcileOptions): Promise<Reconciliation | undefined> {
  const { stores, signal } = options;
  const store = await stores.open('reconciliation');
  try {
    const opened = await openComparison(store, options);
    if (opened === undefined) return undefined;
    const { state, chain, namespace } = opened;
    const sequence = await nextSequence(store, options.nowMs());
    const collected = createCollection();
    const run = (): Parameters<typeof storeRun>[2] => ({
      ...collected.tally(),
      sequence,
      height: state.height,
      atMs: options.nowMs(),
    });
    try {
      const context = { state, chain, namespace };
      for await (const rows of compare(context, options.assetId)) {
        throwIfAborted(signal);
        await state.assertServed();
        await storeChecks(store, stores.spoolFolder, sequence, rows);
        collected.add(rows);
      }
    } finally {
      await storeRun(store, stores.spoolFolder, run());
    }
    if (options.prune === true) await pruneChecks(store, sequence);
    const exports: ComparedExport[] = [];
    for (const each of options.deep === true ? MODULE_EXPORTS : []) {
      throwIfAborted(signal);
      const compared = await compareModule(each, opened);
      if (compared !== undefined) exports.push(compared);
    }
    return {
      ...run(),
      rows: collected.rows(),
      leftOut: collected.leftOut(),
      unserved: opened.unserved(),
      exports,
    };
  } finally {
    await store.close();
  }
}

/** Rows of one comparison after the other. */
async function* compare(
  context: CheckContext,
  assetId: string | undefined,
): AsyncGenerator<readonly CheckRow[]> {
  const { state } = context;
  const all: readonly CheckedAsset[] = await state.latest(
    ASSETS,
    ['asset_id', 'issuer'],
    ({ asset_id: assetId, issuer }) => ({ assetId, issuer }),
  );
  const assets = assetId === undefined ? all : all.filter((asset) => asset.assetId === assetId);
  const issuers = new Set(assets.map(({ issuer }) => issuer));
  const created = new Map<string, number>();
  for (const { issuer } of all) {
    if (issuers.has(issuer)) created.set(issuer, (created.get(issuer) ?? 0) + 1);
  }
  yield await checkNonces(context, created);
  for (let from = 0; from < assets.length; from += BATCH_ASSETS) {
    const batch = assets.slice(from, from + BATCH_ASSETS);
    const kindsOf = await readKinds(context, batch);
    yield await checkKinds(context, batch, kindsOf);
    yield await checkTokens(context, batch, kindsOf);
  }
  yield await checkRoutes(context, assetId);
}

async function readKinds(
  { state }: CheckContext,
  assets: readonly CheckedAsset[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const where = `asset_id IN (${assets.map(({ assetId }) => quote(assetId)).join(', ')})`;
  const kindsOf = new Map<string, number[]>();
  await state.latest(
    ASSET_KINDS,
    ['asset_id', 'kind_id'],
    ({ asset_id: assetId, kind_id: kindId }) =>
      kindsOf.set(assetId, [...(kindsOf.get(assetId) ?? []), kindId]),
    where,
  );
  return kindsOf;
}

/** Counts all rows and keeps a bounded number of them. */
function createCollection() {
  const disagreeing: CheckRow[] = [];
  const others: CheckRow[] = [];
  let [evaluated, notEvaluated, agreed, disagreed] = [0, 0, 0, 0];
  return {
    add(rows: readonly CheckRow[]): void {
      for (const row of rows) {
        const list = row.agree ? others : disagreeing;
        if (list.length < MAX_REPORTED_ROWS) list.push(row);
        if (!row.evaluated) notEvaluated++;
        else {
          evaluated++;
          if (row.agree) agreed++;
          else disagreed++;
        }
      }
    },
    tally: (): Tally => ({ evaluated, notEvaluated, agreed, disagreed }),
    rows: (): readonly CheckRow[] => [...disagreeing, ...others],
    leftOut: () => evaluated + notEvaluated - disagreeing.length - others.length,
  };
}
