import type { CheckRow, CheckSide } from '../modules/reconciliation/checks.ts';
import type { ComparedExport, ExportDifference } from '../reconcile/exports.ts';
import type { Reconciliation } from '../reconcile/reconcile.ts';
import { tableLines } from './table.ts';

/** Differences of a module's export that are listed; the rest is counted. */
const MAX_LISTED_DIFFERENCES = 100;

const COLUMNS = ['result', 'check', 'subject', 'field', 'chain', 'indexer'].map((name) => ({
  name,
  isNumber: false,
}));
const MAX_CELL = 80;

/** What agreed and what did not, as the lines of a table, and last the sum. */
export function formatReconciliation(found: Reconciliation): readonly string[] {
  const rows = [...found.rows.flatMap(rowCells), ...found.exports.flatMap(exportCells)];
  const cells = rows.map((row) => row.map(clip));
  const [names = '', , ...lines] = tableLines(COLUMNS, cells, undefined);
  const leftOut = found.leftOut === 0 ? [] : [`… and ${found.leftOut} more that agree or were not evaluated`];
  return [...(rows.length === 0 ? [] : [names, ...lines]), ...leftOut, sumLine(found)];
}

function sumLine({ height, agreed, disagreed, notEvaluated, exports }: Reconciliation): string {
  const unasked = notEvaluated === 0 ? '' : `, ${notEvaluated} not evaluated`;
  const compared = exports.reduce((sum, { records }) => sum + records, 0);
  const different = exports.reduce((sum, { differences }) => sum + differences.length, 0);
  const whole =
    exports.length === 0
      ? ''
      : `; ${compared} records of ${exports.length} modules compared, ${different} values differ`;
  return `height ${height}: ${agreed} agree, ${disagreed} disagree${unasked}${whole}`;
}

function rowCells(row: CheckRow): readonly (readonly string[])[] {
  const { check, evaluated, agree, chain, indexer } = row;
  const about = subjectOf(row);
  const a = flatten(chain);
  const b = flatten(indexer);
  if (!evaluated) return [['not evaluated', check, about, '', '', mainValue(b)]];
  if (agree) return [['agree', check, about, '', mainValue(a), mainValue(b)]];
  // `ok` is the chain's word about itself
  const fields = [...new Set([...a.keys(), ...b.keys()])].filter(
    (field) => field !== 'ok' && a.get(field) !== b.get(field),
  );
  return fields.map((field) => [
    'DISAGREE',
    check,
    about,
    field,
    a.get(field) ?? '(none)',
    b.get(field) ?? '(none)',
  ]);
}

function exportCells({ module, records, differences }: ComparedExport): readonly (readonly string[])[] {
  const check = `export ${module}`;
  if (differences.length === 0) return [['agree', check, `${records} records`, '', '', '']];
  const more = differences.length - MAX_LISTED_DIFFERENCES;
  return [
    ...differences
      .slice(0, MAX_LISTED_DIFFERENCES)
      .map((each: ExportDifference) => [
        'DISAGREE',
        check,
        each.record,
        each.field,
        each.chain === '' ? '(none)' : each.chain,
        each.indexer === '' ? '(none)' : each.indexer,
      ]),
    ...(more > 0 ? [['DISAGREE', check, `… and ${more} more`, '', '', '']] : []),
  ];
}

function subjectOf({ check, assetId, kindId, subject }: CheckRow): string {
  if (check === 'nonce' || check === 'route') return subject;
  return `${assetId}/${kindId < 0 ? 'bundle' : kindId}`;
}

/** The values of a side by path: `supply`, `accruals.uusd.index`. */
function flatten(side: CheckSide): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [field, value] of Object.entries(side)) {
    if (!Array.isArray(value)) values.set(field, String(value));
    else {
      for (const { denom, ...accrual } of value) {
        for (const [name, amount] of Object.entries(accrual)) {
          values.set(`accruals.${denom}.${name}`, String(amount));
        }
      }
    }
  }
  return values;
}

/** The first is what stands for the side: supply, address, nonce, what the route holds. */
function mainValue(values: ReadonlyMap<string, string>): string {
  const [first = ''] = values.values();
  return first;
}

/** One line of a width that a terminal may show; what nodes say may be anything. */
function clip(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
  const line = text.replace(/[\x00-\x1f\x7f-\x9f]+/g, ' ');
  return line.length > MAX_CELL ? `${line.slice(0, MAX_CELL - 1)}…` : line;
}
