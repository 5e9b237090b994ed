import { StrataError } from 'strata-kit/errors';
import type { Step } from '../core/steps.ts';
import type { TableSpec } from '../core/table.ts';
import type { BlockHeader } from '../decode/range.ts';
import type { Derivation } from '../derive/derivation.ts';
import { type Checkpoint, checkpointsFrom, writeCheckpoint } from '../store/checkpoints.ts';
import { countRows, findDifference, VIEW_TARGETS } from '../store/repair.ts';
import { SEALED_COUNTS, sealCounts } from '../store/seals.ts';
import type { Store } from '../store/store.ts';
import type { Batch } from './batches.ts';
import type { DeriveStage } from './derive-stage.ts';
import { insertFiles } from './insert-files.ts';
import { addRollUps } from './roll-ups.ts';
import type { SpoolFile } from './spool.ts';

/** The newest checkpoint of the store, as this process wrote or read it. */
export interface CommitBase {
  /** Undefined before the first commit. */
  readonly checkpoint: Checkpoint | undefined;
  /** Rows of checkpoints at its height: one, unless the newest took the place of another. */
  readonly checkpointRows: number;
}

export interface CommitStageOptions {
  readonly store: Store;
  /** Whether no other process can write into the store (StoreFactory.isExclusive). */
  readonly isAlone: boolean;
  /** Every table that a batch may have rows of. */
  readonly tables: readonly TableSpec[];
  readonly derivations: readonly Derivation[];
  readonly deriveStage: Pick<DeriveStage, 'named'>;
  readonly step: Step;
}

/** Brings a batch into the store: the checkpoint before it comes in, the one after it comes out. */
export interface CommitStage {
  /**
   * Inserts the batch's files and then the checkpoint that counts them; `chainHeight` is the newest that is known.
   * Errors: store_in_use where another process writes; those of SpoolBatch.seal and of Store. A batch that failed is repaired at the next start.
   */
  commit(base: CommitBase, batch: Batch, chainHeight: number): Promise<Checkpoint>;
}

/** How often a writer that is alone compares the counts of all tables, which costs as much as ten inserts. */
const COUNT_PAUSE_MS = 60_000;

export function createCommitStage(options: CommitStageOptions): CommitStage {
  const { store, isAlone, tables, derivations, deriveStage, step } = options;
  let countedAtMs = 0;

  /** Errors: store_in_use. */
  const checkAlone = async ({ checkpoint, checkpointRows }: CommitBase): Promise<void> => {
    if (isAlone) return;
    const { count, height } = await checkpointsFrom(store, checkpoint?.height ?? 0);
    if (count === checkpointRows) return;
    throw new StrataError(
      'store_in_use',
      `another process indexes into this store: it wrote a checkpoint at height ${height}. Let one of them go on; started again, it repairs what both have written`,
    );
  };

  /**
   * Compares the counts of whole tables, which the engine keeps with their parts. A writer that is alone does so once a
   * minute: nobody else adds rows, and the next start compares them too.
   * Errors: store_in_use for rows of another process, such as a late insert of one that was killed.
   */
  const checkCounts = async (rows: ReadonlyMap<string, number>): Promise<void> => {
    if (isAlone && Date.now() - countedAtMs < COUNT_PAUSE_MS) return;
    countedAtMs = Date.now();
    const inserted = new Map(tables.map(({ name }) => [name, rows.get(name) ?? 0]));
    const difference = await findDifference(store, { ...deriveStage.named(), rows: inserted });
    if (difference === undefined) return;
    const { table, found, expected } = difference;
    throw new StrataError(
      'store_in_use',
      `table ${table} has ${found} rows where this process has brought it to ${expected}: another one writes into this store, or has until now. Started again, it is repaired`,
    );
  };

  /** Inserts the files; returns the rows of each table afterwards, those of views included. */
  const insert = async (
    checkpoint: Checkpoint | undefined,
    files: ReadonlyMap<string, SpoolFile>,
  ): Promise<Map<string, number>> => {
    const rows = new Map(checkpoint?.rows ?? []);
    await insertFiles(store, tables, files, (table) => step('commit:insert', table));
    for (const [table, file] of files) addRows(rows, table, file.rows);
    step('commit:inserted');
    const above = checkpoint === undefined ? undefined : `height > ${checkpoint.height}`;
    // a commit without txs adds no rows to their views
    const added = files.has('txs') ? await countRows(store, VIEW_TARGETS, above) : new Map<string, number>();
    for (const table of VIEW_TARGETS) addRows(rows, table, added.get(table) ?? 0);
    step('commit:counted');
    return rows;
  };

  /** Adds the sums of the ranges of heights that this commit completes; their counts go into `rows`. */
  const sum = async (
    fromHeight: number,
    toHeight: number,
    files: ReadonlyMap<string, SpoolFile>,
    rows: Map<string, number>,
  ): Promise<void> => {
    step('commit:seal');
    const sealed = (await sealCounts(store, fromHeight, toHeight))
      ? (await countRows(store, [SEALED_COUNTS], `height > ${fromHeight}`)).get(SEALED_COUNTS)
      : 0;
    addRows(rows, SEALED_COUNTS, sealed ?? 0);
    const { generations } = deriveStage.named();
    const sums = await addRollUps(store, derivations, generations, fromHeight, toHeight, files);
    for (const [table, count] of sums) addRows(rows, table, count);
    step('commit:sealed');
  };

  return {
    async commit(base, batch, chainHeight) {
      const { checkpoint } = base;
      await checkAlone(base);
      const files = await batch.spool.seal();
      step('commit:begin');
      const rows = await insert(checkpoint, files);
      await sum(checkpoint?.height ?? 0, batch.last.height, files, rows);
      const next: Checkpoint = {
        height: batch.last.height,
        firstHeight: checkpoint?.firstHeight ?? batch.firstHeight,
        blockHash: batch.last.hash,
        blockTimeNs: batch.last.timeNs,
        chainHeight: Math.max(chainHeight, batch.last.height),
        ...resultsOf(batch.last),
        rows,
        ...deriveStage.named(),
      };
      await checkAlone(base);
      await checkCounts(rows);
      step('commit:checkpoint');
      await writeCheckpoint(store, next);
      step('commit:written');
      batch.spool.remove();
      return next;
    },
  };
}

function addRows(rows: Map<string, number>, table: string, count: number): void {
  rows.set(table, (rows.get(table) ?? 0) + count);
}

function resultsOf({ resultsHash, resultsAppHash }: BlockHeader): Pick<Checkpoint, 'results'> {
  return resultsHash === '' ? {} : { results: { hash: resultsHash, appHash: resultsAppHash } };
}
