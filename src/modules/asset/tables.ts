import type { DerivedTable } from '../../core/tables.ts';

/**
 * An asset's versions: one for each block in which it, a kind of it or a policy changed, so that the newest version's
 * height is its updated_height. created_tx_hash is zeros where a block-level event created it.
 */
export const ASSETS = {
  name: 'assets',
  module: 'asset',
  key: ['asset_id'],
  columns: [
    ['asset_id', 'String'],
    ['height', 'UInt64'],
    ['issuer', 'String'],
    ['nonce', 'UInt64'],
    ['status', 'String'],
    ['policy_mode', 'String'],
    ['policy_types', 'Array(String)'],
    ['policy_attesters', 'Array(String)'],
    ['operator', 'String'],
    ['releaser', 'String'],
    ['meta_hash', 'String'],
    ['settlement_denom', 'String'],
    ['liens_allowed', 'UInt8'],
    ['distribution_denoms', 'Array(String)'],
    ['issuance_locked', 'UInt8'],
    ['kind_count', 'UInt32'],
    ['created_height', 'UInt64'],
    ['created_time_ns', 'Int64'],
    ['created_tx_hash', 'FixedString(32)'],
    ['bundle_address', 'FixedString(20)'],
  ],
} as const satisfies DerivedTable;

/**
 * A kind's versions. `term` is the API's JSON text, empty where the kind has none; override_mode is empty where the
 * asset's policy holds.
 */
export const ASSET_KINDS = {
  name: 'asset_kinds',
  module: 'asset',
  key: ['asset_id', 'kind_id'],
  columns: [
    ['asset_id', 'String'],
    ['kind_id', 'UInt32'],
    ['height', 'UInt64'],
    ['class', 'String'],
    ['decimals', 'UInt32'],
    ['bundle', 'UInt8'],
    ['transferable', 'UInt8'],
    ['term', 'String'],
    ['multiplier', 'UInt64'],
    ['bridgeable', 'UInt8'],
    ['override_mode', 'String'],
    ['override_types', 'Array(String)'],
    ['override_attesters', 'Array(String)'],
    ['address', 'FixedString(20)'],
  ],
} as const satisfies DerivedTable;

/** What lives at an address of the EVM: an asset's bundle (kind_id 0 then), or one of its kinds. */
export const ASSET_TOKENS = {
  name: 'asset_tokens',
  module: 'asset',
  key: ['address'],
  columns: [
    ['address', 'FixedString(20)'],
    ['height', 'UInt64'],
    ['asset_id', 'String'],
    ['kind_id', 'UInt32'],
    ['bundle', 'UInt8'],
  ],
} as const satisfies DerivedTable;
