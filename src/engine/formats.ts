/** Output formats: their content types, and which of them can be sent while the query runs. */

/**
 * Formats without head, foot or separator. The engine's stream prints each piece as a document of its own, so that a
 * header or JSON's brackets would come again in the middle.
 */
const STREAMED = new Set([
  'Native',
  'RowBinary',
  'JSONEachRow',
  'JSONCompactEachRow',
  'JSONStringsEachRow',
  'JSONCompactStringsEachRow',
  'JSONLines',
  'NDJSON',
  'TabSeparated',
  'TabSeparatedRaw',
  'TSV',
  'TSVRaw',
  'CSV',
  'LineAsString',
]);

const TYPES: Readonly<Record<string, string>> = {
  JSON: 'application/json; charset=UTF-8',
  NDJSON: 'application/x-ndjson; charset=UTF-8',
  CSV: 'text/csv; charset=UTF-8; header=absent',
  CSVWithNames: 'text/csv; charset=UTF-8; header=present',
  CSVWithNamesAndTypes: 'text/csv; charset=UTF-8; header=present',
  TSV: 'text/tab-separated-values; charset=UTF-8',
  TabSeparated: 'text/tab-separated-values; charset=UTF-8',
  XML: 'application/xml; charset=UTF-8',
  Native: 'application/octet-stream',
  RowBinary: 'application/octet-stream',
  Parquet: 'application/octet-stream',
  Arrow: 'application/octet-stream',
  ArrowStream: 'application/octet-stream',
  ORC: 'application/octet-stream',
  Avro: 'application/octet-stream',
  MsgPack: 'application/octet-stream',
};

export const DEFAULT_FORMAT = 'TabSeparated';

/** Puts brackets around JSONEachRow, which no longer can be sent in pieces then. */
const BRACKETS = 'output_format_json_array_of_rows';

/** With this statement and these settings of the URL; a statement that only speaks of brackets has them. */
export function isStreamed(format: string, sql: string, settings: ReadonlyMap<string, string>): boolean {
  return STREAMED.has(format) && !settings.has(BRACKETS) && !sql.includes(BRACKETS);
}

export function contentTypeOf(format: string): string {
  const exact = TYPES[format];
  if (exact !== undefined) return exact;
  if (/EachRow|JSONLines/.test(format)) return 'application/x-ndjson; charset=UTF-8';
  if (format.startsWith('JSON')) return 'application/json; charset=UTF-8';
  if (/^(TSV|TabSeparated)/.test(format)) return 'text/tab-separated-values; charset=UTF-8';
  if (/^RowBinary/.test(format)) return 'application/octet-stream';
  return 'text/plain; charset=UTF-8';
}
