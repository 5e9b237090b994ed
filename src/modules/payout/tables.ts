import { delta, fixed, i32, i64big, i256, text, u32, u64, word } from '../../core/columns.ts';
import { derivedTable } from '../../core/table.ts';

/**
 * Versions of what a kind has paid in a denom (modules.md rules 3 and 5), one for each block in which it was distributed
 * to, claimed from or swept. updated_height: its last distribution or claim (rule 12), which a sweep is not. income_index and carry_scaled are decimal digits,
 * unbounded.
 */
export const ACCRUALS = derivedTable({
  name: 'accruals',
  module: 'payout',
  key: ['asset_id', 'kind_id', 'denom'],
  granularity: 256,
  columns: {
    asset_id: text,
    kind_id: u32,
    denom: word,
    height: delta(u64),
    income_index: text,
    carry_scaled: text,
    total_distributed: i256,
    total_paid: i256,
    distributions: u64,
    updated_height: u64,
  },
});

/** What was distributed, with the index, carry and supply as derived. `ordinal`: its place in its block. */
export const DISTRIBUTIONS = derivedTable({
  name: 'distributions',
  module: 'payout',
  order: ['asset_id', 'height', 'ordinal'],
  granularity: 512,
  columns: {
    asset_id: text,
    height: delta(u64),
    ordinal: u32,
    tx_index: i32,
    event_index: u32,
    kind_id: u32,
    denom: word,
    payer: text,
    amount: i256,
    new_index: text,
    carry_scaled: text,
    supply: i256,
    tx_hash: fixed(32),
    block_time_ns: i64big,
  },
});

const SETTLED_COLUMNS = {
  asset_id: text,
  kind_id: u32,
  account: text,
  ref: text,
  denom: word,
  height: delta(u64),
  last_index: text,
  accrued: i256,
};

/**
 * Versions of how far a basis is settled in a denom (modules.md rule 4): up to last_index (decimal digits), with this
 * much to claim. ref is empty for the account's own units, else the route's whose beneficiary the account is. A basis
 * that was never touched has none: it is settled up to 0.
 */
export const SETTLED_INCOME = derivedTable({
  name: 'settled_income',
  module: 'payout',
  key: ['asset_id', 'kind_id', 'account', 'ref', 'denom'],
  granularity: 512,
  columns: SETTLED_COLUMNS,
});

/** The same versions by whoever may claim. */
export const SETTLED_INCOME_BY_ACCOUNT = derivedTable({
  name: 'settled_income_by_account',
  module: 'payout',
  key: ['account', 'asset_id', 'kind_id', 'ref', 'denom'],
  granularity: 256,
  columns: SETTLED_COLUMNS,
});

/** Versions of a pledge that routes its units' income from the holder to the beneficiary; units 0 once it has ended. */
export const INCOME_ROUTES = derivedTable({
  name: 'income_routes',
  module: 'payout',
  key: ['asset_id', 'kind_id', 'beneficiary', 'ref'],
  granularity: 512,
  columns: {
    asset_id: text,
    kind_id: u32,
    beneficiary: text,
    ref: text,
    height: delta(u64),
    holder: text,
    units: i256,
  },
});

/** The same versions by beneficiary. */
export const INCOME_ROUTES_BY_BENEFICIARY = derivedTable({
  name: 'income_routes_by_beneficiary',
  module: 'payout',
  key: ['beneficiary', 'asset_id', 'kind_id', 'ref'],
  granularity: 256,
  columns: INCOME_ROUTES.kinds,
});
