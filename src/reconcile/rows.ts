import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TableBuilder } from '../core/native.ts';
import { RowReader } from '../core/rowbinary.ts';
import type { TableSpec } from '../core/table.ts';
import { RECONCILIATION_CHECKS, RECONCILIATIONS } from '../core/tables.ts';
import type { CheckRow } from '../modules/reconciliation/checks.ts';
import type { ExportRow } from '../modules/reconciliation/export-checks.ts';
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
  for (const row of rows) {
    builder.append({
      check: row.check,
      asset_id: row.assetId,
      kind_id: BigInt(row.kindId),
      subject: row.subject,
      height: row.height,
      sequence,
      evaluated: row.evaluated,
      agree: row.agree,
      chain: JSON.stringify(row.chain),
      indexer: JSON.stringify(row.indexer),
    });
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
  builder.append({
    sequence: run.sequence,
    height: run.height,
    at_ns: BigInt(Math.floor(run.atMs)) * 1_000_000n,
    evaluated: run.evaluated,
    not_evaluated: run.notEvaluated,
    agreed: run.agreed,
    disagreed: run.disagreed,
  });
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
