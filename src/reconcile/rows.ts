import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TableBuilder } from '../core/native.ts';
import { RowReader } from '../core/rowbinary.ts';
import type { TableSpec } from '../core/tables.ts';
import type { CheckRow } from '../modules/reconciliation/checks.ts';
import type { ExportRow } from '../modules/reconciliation/export-checks.ts';
import { RECONCILIATION_CHECKS, RECONCILIATIONS } from '../modules/reconciliation/tables.ts';
import { spoolFailed } from '../store/disk.ts';
import type { Store } from '../store/store.ts';

/** What a run found, in numbers. */
export interface Tally {
  readonly evaluated: number;
  readonly notEvaluated: number;
  readonly agreed: number;
  readonly disagreed: number;
}

/** Above every run's before, also where those are gone with a rewind. */
export async function nextSequence(store: Store, nowMs: number): Promise<number> {
  const rows = new RowReader(await store.query(`SELECT max(sequence) FROM ${RECONCILIATIONS.name}`));
  return Math.max(rows.u64() + 1, Math.floor(nowMs));
}

export async function storeChecks(
  store: Store,
  spoolFolder: string,
  sequence: number,
  rows: readonly (CheckRow | ExportRow)[],
): Promise<void> {
  const builder = new TableBuilder(RECONCILIATION_CHECKS);
  const { columns } = builder;
  for (const row of rows) {
    columns.check.text(row.check);
    columns.asset_id.text(row.assetId);
    columns.kind_id.i64big(BigInt(row.kindId));
    columns.subject.text(row.subject);
    columns.height.u64(row.height);
    columns.sequence.u64(sequence);
    columns.evaluated.u8(row.evaluated ? 1 : 0);
    columns.agree.u8(row.agree ? 1 : 0);
    columns.chain.text(JSON.stringify(row.chain));
    columns.indexer.text(JSON.stringify(row.indexer));
    builder.rows++;
  }
  await insert(store, spoolFolder, RECONCILIATION_CHECKS, builder);
}

/** The last write of a run: who follows the sequence looks at its rows then. */
export async function storeRun(
  store: Store,
  spoolFolder: string,
  run: { readonly sequence: number; readonly height: number; readonly atMs: number } & Tally,
): Promise<void> {
  const builder = new TableBuilder(RECONCILIATIONS);
  const { columns } = builder;
  columns.sequence.u64(run.sequence);
  columns.height.u64(run.height);
  columns.at_ns.i64big(BigInt(Math.floor(run.atMs)) * 1_000_000n);
  columns.evaluated.u64(run.evaluated);
  columns.not_evaluated.u64(run.notEvaluated);
  columns.agreed.u64(run.agreed);
  columns.disagreed.u64(run.disagreed);
  builder.rows++;
  await insert(store, spoolFolder, RECONCILIATIONS, builder);
}

async function insert(
  store: Store,
  spoolFolder: string,
  { name, columns }: TableSpec,
  builder: { rows: number; finish(): Uint8Array },
): Promise<void> {
  if (builder.rows === 0) return;
  const path = join(spoolFolder, `${name}-${randomUUID()}.native`);
  await writeFile(path, builder.finish()).catch((error: unknown) => {
    throw spoolFailed(error);
  });
  try {
    await store.insertNativeFiles(
      name,
      columns.map(([column]) => column),
      [path],
    );
  } finally {
    await rm(path, { force: true });
  }
}
