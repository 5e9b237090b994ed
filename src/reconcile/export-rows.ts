import { RowReader } from '../core/rowbinary.ts';
import { RECONCILIATION_CHECKS } from '../core/tables.ts';
import {
  DIFFERENCE_CHECK,
  differenceRow,
  EXPORT_CHECK,
  type ExportRow,
  exportRow,
  LEFT_OUT,
  subjectPrefix,
} from '../modules/reconciliation/export-checks.ts';
import { quote, uintLiteral } from '../store/sql.ts';
import type { Store } from '../store/store.ts';
import type { ComparedExport } from './exports.ts';

/** Texts of a node may have any length. */
const MAX_TEXT = 200;
/** Of a module, once so many rows of comparisons without differences have gathered they go. */
const MAX_OLD_ROWS = 8;

/** The rows of a comparison. `compared`: undefined where the Export was not served or could not be compared. */
export function rowsOfExport(
  module: string,
  height: number,
  compared: ComparedExport | undefined,
): readonly ExportRow[] {
  if (compared === undefined) return [exportRow(module, height, false, { records: 0, differences: 0 })];
  const { records, differences, leftOut } = compared;
  const tally = exportRow(module, height, true, { records, differences: differences.length + leftOut });
  const rows = differences.map(({ record, field, chain, indexer }) =>
    differenceRow({ module, field: clip(field), record: clip(record) }, height, clip(chain), clip(indexer)),
  );
  const more = differenceRow({ module, field: LEFT_OUT, record: '' }, height, String(leftOut), '');
  return [tally, ...rows, ...(leftOut === 0 ? [] : [more])];
}

function clip(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 1)}…`;
}

/**
 * Takes a module's rows out that are of comparisons before this one. Of one that compared nothing, differences that were
 * found before stay.
 */
export async function dropOlderRows(
  store: Store,
  module: string,
  sequence: number,
  isCompared: boolean,
): Promise<void> {
  const ofModule = `check = ${quote(EXPORT_CHECK)} AND subject = ${quote(module)}`;
  const differences = `check = ${quote(DIFFERENCE_CHECK)} AND startsWith(subject, ${quote(subjectPrefix(module))})`;
  const rows =
    `${RECONCILIATION_CHECKS.name} WHERE sequence < ${uintLiteral(sequence)} AND ` +
    (isCompared ? `((${ofModule}) OR (${differences}))` : ofModule);
  const counts = new RowReader(await store.query(`SELECT count(), countIf(agree = 0) FROM ${rows}`));
  const [all, disagreeing] = [counts.u64(), counts.u64()];
  if ((disagreeing === 0 || !isCompared) && all < MAX_OLD_ROWS) return;
  await store.command(`DELETE FROM ${rows} SETTINGS lightweight_deletes_sync = 2`);
}

/** The modules that were compared, the one of the oldest comparison first. */
export async function comparedModules(store: Store): Promise<readonly string[]> {
  const rows = new RowReader(
    await store.query(
      `SELECT subject FROM ${RECONCILIATION_CHECKS.name} WHERE check = ${quote(EXPORT_CHECK)} ` +
        'GROUP BY subject ORDER BY max(sequence), subject',
    ),
  );
  const modules: string[] = [];
  while (!rows.done) modules.push(rows.string());
  return modules;
}
