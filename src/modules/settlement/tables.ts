import type { DerivedTable } from '../../core/tables.ts';

/**
 * Settlements. `legs` is proto-JSON, hashes are hex, `expiry` is the text of answers (proto timestamps go on to the year
 * 9999, Int64 nanoseconds do not). `ended_*` and `end_actor` are 0 and empty while it is pending; `ended_tx_hash` is
 * zeros and `end_actor` empty where no tx or nobody ended it.
 */
export const SETTLEMENTS = {
  name: 'settlements',
  module: 'settlement',
  key: ['id'],
  columns: [
    ['id', 'UInt64'],
    ['height', 'UInt64'],
    ['proposer', 'String'],
    ['counterparty', 'String'],
    ['legs', 'String'],
    ['expiry', 'String'],
    ['status', 'String'],
    ['memo_hash', 'String'],
    ['cancel_reason', 'String'],
    ['created_height', 'UInt64'],
    ['created_time_ns', 'Int64'],
    ['created_tx_hash', 'FixedString(32)'],
    ['ended_height', 'UInt64'],
    ['ended_time_ns', 'Int64'],
    ['ended_tx_hash', 'FixedString(32)'],
    ['end_actor', 'String'],
  ],
} as const satisfies DerivedTable;

/**
 * By party and status, when a settlement came (`gone` 0) and when it left again (`gone` 1): a member as of a height is one
 * whose newest row at or below it says 0. Of the party `*` are all settlements.
 */
export const SETTLEMENT_LISTS = {
  name: 'settlement_lists',
  module: 'settlement',
  key: [],
  columns: [
    ['party', 'String'],
    ['status', 'String'],
    ['id', 'UInt64'],
    ['height', 'UInt64'],
    ['gone', 'UInt8'],
  ],
} as const satisfies DerivedTable;

/**
 * By party, `*` for all, the least id of its pending settlements, 2^64 − 1 where there is none: a reader of those that are
 * pending need not pass all that were.
 */
export const SETTLEMENT_FLOORS = {
  name: 'settlement_floors',
  module: 'settlement',
  key: ['party'],
  columns: [
    ['party', 'String'],
    ['height', 'UInt64'],
    ['oldest_pending', 'UInt64'],
  ],
} as const satisfies DerivedTable;
