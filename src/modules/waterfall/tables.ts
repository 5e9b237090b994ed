import { delta, flag, i64big, i256, text, u32, u64, word } from '../../core/columns.ts';
import { derivedTable } from '../../core/table.ts';

/** The tiers of an asset's waterfall; `dropped` ones have gone with a later waterfall. A cap of 0 is none. */
export const WATERFALL_TIERS = derivedTable({
  name: 'waterfall_tiers',
  module: 'waterfall',
  key: ['asset_id', 'tier'],
  columns: {
    asset_id: text,
    tier: u32,
    height: delta(u64),
    kind_id: u32,
    cap: i256,
    dropped: flag,
  },
});

/** What a tier was paid in all, by denom. */
export const TIER_PAYMENTS = derivedTable({
  name: 'tier_payments',
  module: 'waterfall',
  key: ['asset_id', 'tier', 'denom'],
  columns: {
    asset_id: text,
    tier: u32,
    denom: word,
    height: delta(u64),
    cumulative_paid: i256,
  },
});

/** An asset's liquidation. `pool` is what was funded and paid neither to tiers nor back; closed_height 0 while it runs. */
export const LIQUIDATIONS = derivedTable({
  name: 'liquidations',
  module: 'waterfall',
  key: ['asset_id'],
  columns: {
    asset_id: text,
    height: delta(u64),
    denom: word,
    initiator: text,
    began_height: u64,
    began_ns: i64big,
    pool: i256,
    closed_height: u64,
  },
});

/** What a kind's units are redeemed for. `units` is the kind's supply at the pool's opening. */
export const REDEMPTION_POOLS = derivedTable({
  name: 'redemption_pools',
  module: 'waterfall',
  key: ['asset_id', 'kind_id'],
  columns: {
    asset_id: text,
    kind_id: u32,
    height: delta(u64),
    denom: word,
    amount: i256,
    units: i256,
    remaining_amount: i256,
    remaining_units: i256,
  },
});
