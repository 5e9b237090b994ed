import type { DerivedTable } from '../../core/tables.ts';

/**
 * Delegations. `until` is the text of answers, `purposes` are printed without their prefix; `ended` is empty and
 * `ended_height` 0 while it is active.
 */
export const DELEGATIONS = {
  name: 'delegations',
  module: 'delegation',
  key: ['id'],
  columns: [
    ['id', 'UInt64'],
    ['height', 'UInt64'],
    ['holder', 'String'],
    ['asset_id', 'String'],
    ['kind_id', 'UInt32'],
    ['units', 'Int256'],
    ['delegate', 'String'],
    ['until', 'String'],
    ['purposes', 'Array(String)'],
    ['revocable', 'UInt8'],
    ['ended', 'String'],
    ['created_height', 'UInt64'],
    ['created_tx_hash', 'FixedString(32)'],
    ['ended_height', 'UInt64'],
  ],
} as const satisfies DerivedTable;

/** By account, holder or delegate, when a delegation began (`gone` 0) and when it ended (`gone` 1). */
export const DELEGATIONS_BY_ACCOUNT = {
  name: 'delegations_by_account',
  module: 'delegation',
  key: [],
  columns: [
    ['account', 'String'],
    ['id', 'UInt64'],
    ['height', 'UInt64'],
    ['gone', 'UInt8'],
  ],
} as const satisfies DerivedTable;
