import { asOf } from '../../api/as-of.ts';
import type { Reading } from '../../api/route.ts';
import { readAll } from '../../api/rows.ts';
import type { RowReader } from '../../core/rowbinary.ts';
import { DRIFT, RECONCILIATION_CHECKS } from '../../core/tables.ts';
import { countedRows } from '../../store/generations.ts';
import { quote, uintLiteral } from '../../store/sql.ts';
import { ASSET_EVENTS } from '../activity/tables.ts';
import {
  DIFFERENCE_CHECK,
  type DifferenceSide,
  EXPORT_CHECK,
  type ExportTally,
  readDifferenceSubject,
} from './export-checks.ts';

/** DriftRow of openapi.yaml. */
export interface DriftRowJson {
  readonly source: 'event' | 'export';
  readonly module: string;
  readonly height: number;
  readonly tx_index: number | null;
  readonly event_index: number | null;
  readonly type: string;
  readonly record: string;
  readonly field: string;
  readonly chain: string;
  readonly indexer: string;
}

/** ExportCheck of openapi.yaml. */
export interface ExportCheckJson {
  readonly module: string;
  readonly height: number;
  readonly records: number;
  readonly differences: number;
  readonly evaluated: boolean;
  readonly agree: boolean;
}

/** Rows of each source in an answer. */
const MAX_ROWS = 200;
/** What an event says may be of any length. */
const MAX_TEXT = 200;

/** The newest comparison of each module's whole state, by module. */
export async function exportChecks({ snapshot, query }: Reading): Promise<readonly ExportCheckJson[]> {
  const rows = await query(
    `SELECT subject, height, evaluated, agree, chain FROM ${RECONCILIATION_CHECKS.name} ` +
      `WHERE check = ${quote(EXPORT_CHECK)} AND height <= ${uintLiteral(snapshot.indexedHeight)} ` +
      'ORDER BY subject, sequence DESC LIMIT 1 BY subject',
  );
  return readAll(rows, (row) => {
    const check = { module: row.string(), height: row.u64(), evaluated: row.bool(), agree: row.bool() };
    const { records, differences } = JSON.parse(row.string()) as ExportTally;
    return { ...check, records, differences };
  });
}

/** What differs, of one asset or of all: of exports by module, record and field, then of events, newest first. */
export async function driftRows(context: Reading, assetId?: string): Promise<readonly DriftRowJson[]> {
  const [ofExports, ofEvents] = await Promise.all([
    exportDrift(context, assetId),
    eventDrift(context, assetId),
  ]);
  return [...ofExports, ...ofEvents];
}

async function exportDrift({ snapshot, query }: Reading, assetId?: string): Promise<DriftRowJson[]> {
  const ofAsset = assetId === undefined ? '' : ` AND asset_id = ${quote(assetId)}`;
  const module = "splitByChar('/', subject)[1]";
  const field = "splitByChar('/', subject)[2]";
  const rows = await query(
    `SELECT subject, height, chain, indexer FROM ${RECONCILIATION_CHECKS.name} FINAL ` +
      `WHERE check = ${quote(DIFFERENCE_CHECK)} AND height <= ${uintLiteral(snapshot.indexedHeight)}${ofAsset} ` +
      `ORDER BY ${module}, substring(subject, length(${module}) + length(${field}) + 3), ${field} LIMIT ${MAX_ROWS}`,
  );
  return readAll(rows, (row) => {
    const { module, record, field } = readDifferenceSubject(row.string());
    const height = row.u64();
    const [chain, indexer] = [sideOf(row), sideOf(row)];
    const place = { source: 'export', module, height, tx_index: null, event_index: null, type: '' } as const;
    return { ...place, record, field, chain, indexer };
  });
}

function sideOf(row: RowReader): string {
  return (JSON.parse(row.string()) as DifferenceSide).value;
}

/** An event's asset is known from the feeds: an event that could not be read is in none. */
async function eventDrift({ snapshot, query }: Reading, assetId?: string): Promise<DriftRowJson[]> {
  const { generations, indexedHeight } = snapshot;
  const counted = countedRows({ generations, tableGenerations: new Map() }, DRIFT.name);
  const seen = `height <= ${uintLiteral(indexedHeight)} AND ${counted ?? '1'}`;
  const place = 'height, tx_index, event_index';
  const ofAsset =
    assetId === undefined
      ? ''
      : ` AND (${place}) IN (SELECT ${place} FROM ${ASSET_EVENTS.name} WHERE ${asOf(snapshot, ASSET_EVENTS)} ` +
        `AND asset_id = ${quote(assetId)} AND height IN (SELECT height FROM ${DRIFT.name} WHERE ${seen}))`;
  const clipped = ['derived', 'told'].map((name) => `leftUTF8(${name}, ${MAX_TEXT})`).join(', ');
  const rows = await query(
    `SELECT toString(module), ${place}, toString(type), toString(field), ${clipped} FROM ${DRIFT.name} ` +
      `WHERE ${seen}${ofAsset} ORDER BY height DESC, tx_index DESC, event_index DESC, field LIMIT ${MAX_ROWS}`,
  );
  return readAll(rows, (row) => {
    const module = row.string();
    const at = { height: row.u64(), tx_index: row.i32(), event_index: row.u32() };
    const [type, field, indexer, chain] = [row.string(), row.string(), row.string(), row.string()];
    return { source: 'event', module, ...at, type, record: '', field, chain, indexer };
  });
}
