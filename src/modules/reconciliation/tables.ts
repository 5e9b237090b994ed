import type { TableSpec } from '../../core/tables.ts';

/** One row a run. `sequence` only grows, over rewinds too, so that who has seen one knows whether there was another. */
export const RECONCILIATIONS = {
  name: 'reconciliations',
  columns: [
    ['sequence', 'UInt64'],
    ['height', 'UInt64'],
    ['at_ns', 'Int64'],
    ['evaluated', 'UInt64'],
    ['not_evaluated', 'UInt64'],
    ['agreed', 'UInt64'],
    ['disagreed', 'UInt64'],
  ],
} as const satisfies TableSpec;

/**
 * What was compared, as of a height. `check` is one of CHECKS, or of those of export-checks.ts; `kind_id` −1 where it is of
 * no kind; `subject` is the route's id, the issuer, the module or where it differs. `chain` and `indexer` are JSON texts,
 * whose shapes these files name; rows that were not evaluated agree. A key that is written again replaces the row: read the one of the greatest sequence, or FINAL.
 */
export const RECONCILIATION_CHECKS = {
  name: 'reconciliation_checks',
  columns: [
    ['check', 'String'],
    ['asset_id', 'String'],
    ['kind_id', 'Int64'],
    ['subject', 'String'],
    ['height', 'UInt64'],
    ['sequence', 'UInt64'],
    ['evaluated', 'UInt8'],
    ['agree', 'UInt8'],
    ['chain', 'String'],
    ['indexer', 'String'],
  ],
} as const satisfies TableSpec;
