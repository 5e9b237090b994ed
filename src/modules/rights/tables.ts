import { delta, i8, i256, text, u32, u64 } from '../../core/columns.ts';
import { derivedTable } from '../../core/table.ts';

const POSITION_COLUMNS = {
  asset_id: text,
  kind_id: u32,
  holder: text,
  height: delta(u64),
  units: i256,
  encumbered: i256,
  routed: i256,
};

/**
 * Versions of what a holder has of a kind. encumbered is the sum of its locks, routed the units whose income goes to
 * others (modules.md rule 4), both parts of units.
 */
export const POSITIONS = derivedTable({
  name: 'positions',
  module: 'rights',
  key: ['asset_id', 'kind_id', 'holder'],
  granularity: 512,
  columns: POSITION_COLUMNS,
});

/** The same versions by holder. */
export const POSITIONS_BY_HOLDER = derivedTable({
  name: 'positions_by_holder',
  module: 'rights',
  key: ['holder', 'asset_id', 'kind_id'],
  granularity: 256,
  columns: POSITION_COLUMNS,
});

const LOCK_COLUMNS = {
  asset_id: text,
  kind_id: u32,
  holder: text,
  ref: text,
  height: delta(u64),
  units: i256,
};

/** Versions of units that cannot move, under the ref of what holds them; 0 once they are free. */
export const LOCKS = derivedTable({
  name: 'locks',
  module: 'rights',
  key: ['asset_id', 'kind_id', 'holder', 'ref'],
  granularity: 256,
  columns: LOCK_COLUMNS,
});

/** The same versions by holder. */
export const LOCKS_BY_HOLDER = derivedTable({
  name: 'locks_by_holder',
  module: 'rights',
  key: ['holder', 'asset_id', 'kind_id', 'ref'],
  granularity: 256,
  columns: LOCK_COLUMNS,
});

/**
 * Versions of what a kind adds up to: supply as the events moved it, positions and encumbered summed over its holders,
 * and how many of them have units.
 */
export const KIND_TOTALS = derivedTable({
  name: 'kind_totals',
  module: 'rights',
  key: ['asset_id', 'kind_id'],
  granularity: 256,
  columns: {
    asset_id: text,
    kind_id: u32,
    height: delta(u64),
    supply: i256,
    positions: i256,
    encumbered: i256,
    holder_count: u64,
  },
});

const ORDER_COLUMNS = {
  bucket: u64,
  asset_id: text,
  kind_id: u32,
  neg: i256,
  holder: text,
  sign: i8,
  height: delta(u64),
};

/**
 * Holders in the order of their units: sign −1 takes away the place that a holder had, sign 1 gives a new one, at most
 * one of each a position and block. neg is −units. See holder-order.ts.
 */
export const HOLDER_ORDER = derivedTable({
  name: 'holder_order',
  module: 'rights',
  order: ['bucket', 'asset_id', 'kind_id', 'neg', 'holder'],
  granularity: 512,
  columns: ORDER_COLUMNS,
});

/** What is left of them over ranges of `span` heights, of which height is the last; made by the store (holder-order.ts). */
export const HOLDER_ORDER_SUMS = derivedTable({
  name: 'holder_order_sums',
  module: 'rights',
  order: ['span', 'bucket', 'asset_id', 'kind_id', 'neg', 'holder'],
  granularity: 512,
  columns: { span: u32, ...ORDER_COLUMNS },
});
