import { delta, i32, i64big, text, u32, u64 } from '../../core/columns.ts';
import { derivedTable } from '../../core/table.ts';

const PLACE = {
  height: delta(u64),
  ordinal: u32,
  tx_index: i32,
  event_index: u32,
  time_ns: delta(i64big),
};

/** One row an event and account that is a subject of it. tx_index is −1 for a block-level event. */
export const ACCOUNT_EVENTS = derivedTable({
  name: 'account_events',
  module: 'activity',
  order: ['account', 'height', 'ordinal'],
  also: ['INDEX height_range height TYPE minmax GRANULARITY 64'],
  columns: { account: text, ...PLACE },
});

/** One row an event and asset that is a subject of it. */
export const ASSET_EVENTS = derivedTable({
  name: 'asset_events',
  module: 'activity',
  order: ['asset_id', 'height', 'ordinal'],
  also: ['INDEX height_range height TYPE minmax GRANULARITY 64'],
  columns: { asset_id: text, ...PLACE },
});
