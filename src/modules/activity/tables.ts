import type { DerivedTable } from '../../core/tables.ts';

const PLACE = [
  ['height', 'UInt64'],
  ['ordinal', 'UInt32'],
  ['tx_index', 'Int32'],
  ['event_index', 'UInt32'],
  ['time_ns', 'Int64'],
] as const;

/** One row an event and account that is a subject of it. tx_index is −1 for a block-level event. */
export const ACCOUNT_EVENTS = {
  name: 'account_events',
  module: 'activity',
  key: [],
  columns: [['account', 'String'], ...PLACE],
} as const satisfies DerivedTable;

/** One row an event and asset that is a subject of it. */
export const ASSET_EVENTS = {
  name: 'asset_events',
  module: 'activity',
  key: [],
  columns: [['asset_id', 'String'], ...PLACE],
} as const satisfies DerivedTable;
