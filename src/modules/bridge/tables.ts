import { delta, fixed, flag, i32, i64big, i256, text, u32, u64, u64big, word } from '../../core/columns.ts';
import { derivedTable } from '../../core/table.ts';

/**
 * Routes to other chains. `outbound` and `inbound` count everything that ever passed; what is used is of the window of
 * that number (unix seconds by window_seconds), 0 in any other. kind_id is 0 where none is set.
 */
export const BRIDGE_ROUTES = derivedTable({
  name: 'bridge_routes',
  module: 'bridge',
  key: ['route_id'],
  granularity: 256,
  columns: {
    route_id: text,
    height: delta(u64),
    remote_domain: u32,
    remote_contract: text,
    direction: word,
    local_denom: word,
    status: word,
    window_seconds: u64big,
    outbound_limit: i256,
    inbound_limit: i256,
    warp_token_id: text,
    display: text,
    exponent: u32,
    asset_id: text,
    kind_id: u32,
    bundle: flag,
    escrow_address: text,
    outbound: i256,
    inbound: i256,
    outbound_used: i256,
    inbound_used: i256,
    outbound_window: i64big,
    inbound_window: i64big,
    transfers: u64,
    created_height: u64,
  },
});

/** Income of a route's escrow that was paid to the issuer in all, by denom. */
export const BRIDGE_INCOME = derivedTable({
  name: 'bridge_income',
  module: 'bridge',
  key: ['route_id', 'denom'],
  columns: {
    route_id: text,
    denom: word,
    height: delta(u64),
    swept: i256,
  },
});

/**
 * Transfers, one row each for good: out ones are `in_flight`, in ones `completed`, refused ones `rejected` with
 * event_index −1 and a reason. Of the two sides the remote one is 0x and 64 hex digits.
 */
export const BRIDGE_TRANSFERS = derivedTable({
  name: 'bridge_transfers',
  module: 'bridge',
  order: ['height', 'tx_index', 'event_index'],
  granularity: 256,
  also: [
    'INDEX routes route_id TYPE bloom_filter GRANULARITY 1',
    'INDEX message_ids message_id TYPE bloom_filter(0.001) GRANULARITY 1',
  ],
  columns: {
    height: delta(u64),
    tx_index: i32,
    event_index: i32,
    tx_hash: fixed(32),
    route_id: text,
    direction: word,
    status: word,
    sender: text,
    recipient: text,
    amount: i256,
    message_id: text,
    reason: word,
    block_time_ns: i64big,
    asset_id: text,
    kind_id: u32,
    bundle: flag,
  },
});

/** Of each transfer its sides, in the order in which an account's transfers are listed; what lists are filtered by. */
export const BRIDGE_TRANSFERS_BY_ACCOUNT = derivedTable({
  name: 'bridge_transfers_by_account',
  module: 'bridge',
  order: ['account', 'height', 'tx_index', 'event_index'],
  columns: {
    account: text,
    height: delta(u64),
    tx_index: i32,
    event_index: i32,
    route_id: text,
    status: word,
    message_id: text,
  },
});
