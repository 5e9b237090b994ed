import type { DerivedTable } from '../../core/tables.ts';

/**
 * Encumbrances. `kind` and `status` are as answers print them, `units` are those still locked, `holder_release_after` and
 * `expiry` the text of answers, empty where unset. `resolved_height` is 0 while it is active.
 */
export const ENCUMBRANCES = {
  name: 'encumbrances',
  module: 'encumbrance',
  key: ['id'],
  columns: [
    ['id', 'UInt64'],
    ['height', 'UInt64'],
    ['kind', 'String'],
    ['asset_id', 'String'],
    ['kind_id', 'UInt32'],
    ['holder', 'String'],
    ['units', 'Int256'],
    ['beneficiary', 'String'],
    ['income_to_beneficiary', 'UInt8'],
    ['holder_release_after', 'String'],
    ['exercisable', 'UInt8'],
    ['expiry', 'String'],
    ['evidence_hash', 'String'],
    ['status', 'String'],
    ['created_height', 'UInt64'],
    ['created_time_ns', 'Int64'],
    ['created_tx_hash', 'FixedString(32)'],
    ['resolved_height', 'UInt64'],
  ],
} as const satisfies DerivedTable;

/**
 * What happened to an encumbrance: a row an event, in the order of derivation (`ordinal` within the block). `tx_hash` is
 * zeros and `actor` empty where the block did it; `units` are those of the event.
 */
export const ENCUMBRANCE_TIMELINE = {
  name: 'encumbrance_timeline',
  module: 'encumbrance',
  key: [],
  columns: [
    ['id', 'UInt64'],
    ['height', 'UInt64'],
    ['ordinal', 'UInt32'],
    ['event', 'String'],
    ['block_time_ns', 'Int64'],
    ['tx_hash', 'FixedString(32)'],
    ['actor', 'String'],
    ['actor_role', 'String'],
    ['units', 'Int256'],
  ],
} as const satisfies DerivedTable;
