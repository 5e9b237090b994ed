import { delta, fixed, flag, i64big, packed, text, u64, u64big, word } from '../../core/columns.ts';
import { derivedTable } from '../../core/table.ts';

/**
 * Settlements. `legs` is proto-JSON, hashes are hex, `expiry` is the text of answers (proto timestamps go on to the year
 * 9999, Int64 nanoseconds do not). `ended_*` and `end_actor` are 0 and empty while it is pending; `ended_tx_hash` is
 * zeros and `end_actor` empty where no tx or nobody ended it.
 */
export const SETTLEMENTS = derivedTable({
  name: 'settlements',
  module: 'settlement',
  key: ['id'],
  granularity: 256,
  columns: {
    id: delta(u64big),
    height: u64,
    proposer: text,
    counterparty: text,
    legs: text,
    expiry: text,
    status: word,
    memo_hash: text,
    cancel_reason: word,
    created_height: u64,
    created_time_ns: i64big,
    created_tx_hash: packed(fixed(32)),
    ended_height: u64,
    ended_time_ns: i64big,
    ended_tx_hash: packed(fixed(32)),
    end_actor: text,
  },
});

/**
 * By party and status, when a settlement came (`gone` 0) and when it left again (`gone` 1): a member as of a height is one
 * whose newest row at or below it says 0. Of the party `*` are all settlements.
 */
export const SETTLEMENT_LISTS = derivedTable({
  name: 'settlement_lists',
  module: 'settlement',
  order: ['party', 'status', 'id', 'height', 'gone'],
  columns: {
    party: text,
    status: word,
    id: delta(u64big),
    height: u64,
    gone: flag,
  },
});

/**
 * By party, `*` for all, the least id of its pending settlements, 2^64 − 1 where there is none: a reader of those that are
 * pending need not pass all that were.
 */
export const SETTLEMENT_FLOORS = derivedTable({
  name: 'settlement_floors',
  module: 'settlement',
  key: ['party'],
  columns: {
    party: text,
    height: delta(u64),
    oldest_pending: u64big,
  },
});
