import { NO_KIND } from './checks.ts';

/**
 * Comparisons of whole modules, as they stand in reconciliation_checks beside the checks of checks.ts. A comparison is one
 * row of the check `export`, whose subject is the module; `agree` says that nothing differs. Each difference is a row of the
 * check `difference`. Rows of a module go with its next comparison, so that what it does not find is gone.
 */
export const EXPORT_CHECK = 'export';
export const DIFFERENCE_CHECK = 'difference';

/** In `chain` of an `export` row. */
export interface ExportTally {
  readonly records: number;
  readonly differences: number;
}

/** Where a module differs. */
export interface DifferencePlace {
  readonly module: string;
  /** See LEFT_OUT. */
  readonly field: string;
  /** The record's key. */
  readonly record: string;
}

/** The field of a row that stands for the differences that were not kept: `chain` has their number. */
export const LEFT_OUT = 'left_out';

/** In `chain` and `indexer` of a `difference` row. */
export interface DifferenceSide {
  readonly value: string;
}

/** A row of either check; `asset_id` is that of the record, empty where its key names none. */
export interface ExportRow {
  readonly check: typeof EXPORT_CHECK | typeof DIFFERENCE_CHECK;
  readonly assetId: string;
  readonly kindId: typeof NO_KIND;
  readonly subject: string;
  readonly height: number;
  readonly evaluated: boolean;
  readonly agree: boolean;
  readonly chain: ExportTally | DifferenceSide;
  readonly indexer: DifferenceSide | Readonly<Record<string, never>>;
}

/** Modules and fields have no slash; a record may have any text. */
export function differenceSubject({ module, field, record }: DifferencePlace): string {
  return `${module}/${field}/${record}`;
}

export function readDifferenceSubject(subject: string): DifferencePlace {
  const [module = '', field = '', ...record] = subject.split('/');
  return { module, field, record: record.join('/') };
}

/** What a module's `difference` rows begin with. */
export function subjectPrefix(module: string): string {
  return `${module}/`;
}

export function exportRow(
  module: string,
  height: number,
  evaluated: boolean,
  { records, differences }: ExportTally,
): ExportRow {
  return {
    ...{ check: EXPORT_CHECK, assetId: '', kindId: NO_KIND, subject: module, height, evaluated },
    agree: differences === 0,
    chain: { records, differences },
    indexer: {},
  };
}

const ASSET_ID = /\b[0-9a-f]{64}\b/;

export function differenceRow(
  place: DifferencePlace,
  height: number,
  chain: string,
  indexer: string,
): ExportRow {
  return {
    check: DIFFERENCE_CHECK,
    assetId: ASSET_ID.exec(place.record)?.[0] ?? '',
    ...{ kindId: NO_KIND, subject: differenceSubject(place), height, evaluated: true, agree: false },
    chain: { value: chain },
    indexer: { value: indexer },
  };
}
