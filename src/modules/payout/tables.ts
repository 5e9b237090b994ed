import type { DerivedTable } from '../../core/tables.ts';

/**
 * Versions of what a kind has paid in a denom (modules.md rules 3 and 5), one for each block in which it was distributed
 * to, claimed from or swept. updated_height: its last distribution or claim (rule 12), which a sweep is not. income_index and carry_scaled are decimal digits,
 * unbounded.
 */
export const ACCRUALS = {
  name: 'accruals',
  module: 'payout',
  key: ['asset_id', 'kind_id', 'denom'],
  columns: [
    ['asset_id', 'String'],
    ['kind_id', 'UInt32'],
    ['denom', 'String'],
    ['height', 'UInt64'],
    ['income_index', 'String'],
    ['carry_scaled', 'String'],
    ['total_distributed', 'Int256'],
    ['total_paid', 'Int256'],
    ['distributions', 'UInt64'],
    ['updated_height', 'UInt64'],
  ],
} as const satisfies DerivedTable;

/** What was distributed, with the index, carry and supply as derived. `ordinal`: its place in its block. */
export const DISTRIBUTIONS = {
  name: 'distributions',
  module: 'payout',
  key: [],
  columns: [
    ['asset_id', 'String'],
    ['height', 'UInt64'],
    ['ordinal', 'UInt32'],
    ['tx_index', 'Int32'],
    ['event_index', 'UInt32'],
    ['kind_id', 'UInt32'],
    ['denom', 'String'],
    ['payer', 'String'],
    ['amount', 'Int256'],
    ['new_index', 'String'],
    ['carry_scaled', 'String'],
    ['supply', 'Int256'],
    ['tx_hash', 'FixedString(32)'],
    ['block_time_ns', 'Int64'],
  ],
} as const satisfies DerivedTable;

const SETTLED_COLUMNS = [
  ['asset_id', 'String'],
  ['kind_id', 'UInt32'],
  ['account', 'String'],
  ['ref', 'String'],
  ['denom', 'String'],
  ['height', 'UInt64'],
  ['last_index', 'String'],
  ['accrued', 'Int256'],
] as const;

/**
 * Versions of how far a basis is settled in a denom (modules.md rule 4): up to last_index (decimal digits), with this
 * much to claim. ref is empty for the account's own units, else the route's whose beneficiary the account is. A basis
 * that was never touched has none: it is settled up to 0.
 */
export const SETTLED_INCOME = {
  name: 'settled_income',
  module: 'payout',
  key: ['asset_id', 'kind_id', 'account', 'ref', 'denom'],
  columns: SETTLED_COLUMNS,
} as const satisfies DerivedTable;

/** The same versions by whoever may claim. */
export const SETTLED_INCOME_BY_ACCOUNT = {
  name: 'settled_income_by_account',
  module: 'payout',
  key: ['account', 'asset_id', 'kind_id', 'ref', 'denom'],
  columns: SETTLED_COLUMNS,
} as const satisfies DerivedTable;

/** Versions of a pledge that routes its units' income from the holder to the beneficiary; units 0 once it has ended. */
export const INCOME_ROUTES = {
  name: 'income_routes',
  module: 'payout',
  key: ['asset_id', 'kind_id', 'beneficiary', 'ref'],
  columns: [
    ['asset_id', 'String'],
    ['kind_id', 'UInt32'],
    ['beneficiary', 'String'],
    ['ref', 'String'],
    ['height', 'UInt64'],
    ['holder', 'String'],
    ['units', 'Int256'],
  ],
} as const satisfies DerivedTable;

/** The same versions by beneficiary. */
export const INCOME_ROUTES_BY_BENEFICIARY = {
  name: 'income_routes_by_beneficiary',
  module: 'payout',
  key: ['beneficiary', 'asset_id', 'kind_id', 'ref'],
  columns: INCOME_ROUTES.columns,
} as const satisfies DerivedTable;
