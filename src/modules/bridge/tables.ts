import type { DerivedTable } from '../../core/tables.ts';

/**
 * Routes to other chains. `outbound` and `inbound` count everything that ever passed; what is used is of the window of
 * that number (unix seconds by window_seconds), 0 in any other. kind_id is 0 where none is set.
 */
export const BRIDGE_ROUTES = {
  name: 'bridge_routes',
  module: 'bridge',
  key: ['route_id'],
  columns: [
    ['route_id', 'String'],
    ['height', 'UInt64'],
    ['remote_domain', 'UInt32'],
    ['remote_contract', 'String'],
    ['direction', 'String'],
    ['local_denom', 'String'],
    ['status', 'String'],
    ['window_seconds', 'UInt64'],
    ['outbound_limit', 'Int256'],
    ['inbound_limit', 'Int256'],
    ['warp_token_id', 'String'],
    ['display', 'String'],
    ['exponent', 'UInt32'],
    ['asset_id', 'String'],
    ['kind_id', 'UInt32'],
    ['bundle', 'UInt8'],
    ['escrow_address', 'String'],
    ['outbound', 'Int256'],
    ['inbound', 'Int256'],
    ['outbound_used', 'Int256'],
    ['inbound_used', 'Int256'],
    ['outbound_window', 'Int64'],
    ['inbound_window', 'Int64'],
    ['transfers', 'UInt64'],
    ['created_height', 'UInt64'],
  ],
} as const satisfies DerivedTable;

/** Income of a route's escrow that was paid to the issuer in all, by denom. */
export const BRIDGE_INCOME = {
  name: 'bridge_income',
  module: 'bridge',
  key: ['route_id', 'denom'],
  columns: [
    ['route_id', 'String'],
    ['denom', 'String'],
    ['height', 'UInt64'],
    ['swept', 'Int256'],
  ],
} as const satisfies DerivedTable;

/**
 * Transfers, one row each for good: out ones are `in_flight`, in ones `completed`, refused ones `rejected` with
 * event_index −1 and a reason. Of the two sides the remote one is 0x and 64 hex digits.
 */
export const BRIDGE_TRANSFERS = {
  name: 'bridge_transfers',
  module: 'bridge',
  key: [],
  columns: [
    ['height', 'UInt64'],
    ['tx_index', 'Int32'],
    ['event_index', 'Int32'],
    ['tx_hash', 'FixedString(32)'],
    ['route_id', 'String'],
    ['direction', 'String'],
    ['status', 'String'],
    ['sender', 'String'],
    ['recipient', 'String'],
    ['amount', 'Int256'],
    ['message_id', 'String'],
    ['reason', 'String'],
    ['block_time_ns', 'Int64'],
    ['asset_id', 'String'],
    ['kind_id', 'UInt32'],
    ['bundle', 'UInt8'],
  ],
} as const satisfies DerivedTable;

/** Of each transfer its sides, in the order in which an account's transfers are listed; what lists are filtered by. */
export const BRIDGE_TRANSFERS_BY_ACCOUNT = {
  name: 'bridge_transfers_by_account',
  module: 'bridge',
  key: [],
  columns: [
    ['account', 'String'],
    ['height', 'UInt64'],
    ['tx_index', 'Int32'],
    ['event_index', 'Int32'],
    ['route_id', 'String'],
    ['status', 'String'],
    ['message_id', 'String'],
  ],
} as const satisfies DerivedTable;
