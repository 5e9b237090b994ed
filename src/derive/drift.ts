import type { SharedTable } from '../core/tables.ts';

/**
 * One row a value of an event that is not the derived one (modules.md rule 13). `field` is `record` where the event is
 * about a record that nobody told of. Both values are decimal digits or texts as they stand in the event.
 */
export const DRIFT = {
  name: 'drift',
  columns: [
    ['module', 'String'],
    ['height', 'UInt64'],
    ['tx_index', 'Int32'],
    ['event_index', 'UInt32'],
    ['type', 'String'],
    ['field', 'String'],
    ['derived', 'String'],
    ['told', 'String'],
  ],
} as const satisfies SharedTable;
