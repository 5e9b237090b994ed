import type { DerivedTable } from '../../core/tables.ts';

/** The tiers of an asset's waterfall; `dropped` ones have gone with a later waterfall. A cap of 0 is none. */
export const WATERFALL_TIERS = {
  name: 'waterfall_tiers',
  module: 'waterfall',
  key: ['asset_id', 'tier'],
  columns: [
    ['asset_id', 'String'],
    ['tier', 'UInt32'],
    ['height', 'UInt64'],
    ['kind_id', 'UInt32'],
    ['cap', 'Int256'],
    ['dropped', 'UInt8'],
  ],
} as const satisfies DerivedTable;

/** What a tier was paid in all, by denom. */
export const TIER_PAYMENTS = {
  name: 'tier_payments',
  module: 'waterfall',
  key: ['asset_id', 'tier', 'denom'],
  columns: [
    ['asset_id', 'String'],
    ['tier', 'UInt32'],
    ['denom', 'String'],
    ['height', 'UInt64'],
    ['cumulative_paid', 'Int256'],
  ],
} as const satisfies DerivedTable;

/** An asset's liquidation. `pool` is what was funded and paid neither to tiers nor back; closed_height 0 while it runs. */
export const LIQUIDATIONS = {
  name: 'liquidations',
  module: 'waterfall',
  key: ['asset_id'],
  columns: [
    ['asset_id', 'String'],
    ['height', 'UInt64'],
    ['denom', 'String'],
    ['initiator', 'String'],
    ['began_height', 'UInt64'],
    ['began_ns', 'Int64'],
    ['pool', 'Int256'],
    ['closed_height', 'UInt64'],
  ],
} as const satisfies DerivedTable;

/** What a kind's units are redeemed for. `units` is the kind's supply at the pool's opening. */
export const REDEMPTION_POOLS = {
  name: 'redemption_pools',
  module: 'waterfall',
  key: ['asset_id', 'kind_id'],
  columns: [
    ['asset_id', 'String'],
    ['kind_id', 'UInt32'],
    ['height', 'UInt64'],
    ['denom', 'String'],
    ['amount', 'Int256'],
    ['units', 'Int256'],
    ['remaining_amount', 'Int256'],
    ['remaining_units', 'Int256'],
  ],
} as const satisfies DerivedTable;
