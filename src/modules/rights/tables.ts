import type { DerivedTable } from '../../core/tables.ts';

const POSITION_COLUMNS = [
  ['asset_id', 'String'],
  ['kind_id', 'UInt32'],
  ['holder', 'String'],
  ['height', 'UInt64'],
  ['units', 'Int256'],
  ['encumbered', 'Int256'],
  ['routed', 'Int256'],
] as const;

/**
 * Versions of what a holder has of a kind. encumbered is the sum of its locks, routed the units whose income goes to
 * others (modules.md rule 4), both parts of units.
 */
export const POSITIONS = {
  name: 'positions',
  module: 'rights',
  key: ['asset_id', 'kind_id', 'holder'],
  columns: POSITION_COLUMNS,
} as const satisfies DerivedTable;

/** The same versions by holder. */
export const POSITIONS_BY_HOLDER = {
  name: 'positions_by_holder',
  module: 'rights',
  key: ['holder', 'asset_id', 'kind_id'],
  columns: POSITION_COLUMNS,
} as const satisfies DerivedTable;

const LOCK_COLUMNS = [
  ['asset_id', 'String'],
  ['kind_id', 'UInt32'],
  ['holder', 'String'],
  ['ref', 'String'],
  ['height', 'UInt64'],
  ['units', 'Int256'],
] as const;

/** Versions of units that cannot move, under the ref of what holds them; 0 once they are free. */
export const LOCKS = {
  name: 'locks',
  module: 'rights',
  key: ['asset_id', 'kind_id', 'holder', 'ref'],
  columns: LOCK_COLUMNS,
} as const satisfies DerivedTable;

/** The same versions by holder. */
export const LOCKS_BY_HOLDER = {
  name: 'locks_by_holder',
  module: 'rights',
  key: ['holder', 'asset_id', 'kind_id', 'ref'],
  columns: LOCK_COLUMNS,
} as const satisfies DerivedTable;

/**
 * Versions of what a kind adds up to: supply as the events moved it, positions and encumbered summed over its holders,
 * and how many of them have units.
 */
export const KIND_TOTALS = {
  name: 'kind_totals',
  module: 'rights',
  key: ['asset_id', 'kind_id'],
  columns: [
    ['asset_id', 'String'],
    ['kind_id', 'UInt32'],
    ['height', 'UInt64'],
    ['supply', 'Int256'],
    ['positions', 'Int256'],
    ['encumbered', 'Int256'],
    ['holder_count', 'UInt64'],
  ],
} as const satisfies DerivedTable;

const ORDER_COLUMNS = [
  ['bucket', 'UInt64'],
  ['asset_id', 'String'],
  ['kind_id', 'UInt32'],
  ['neg', 'Int256'],
  ['holder', 'String'],
  ['sign', 'Int8'],
  ['height', 'UInt64'],
] as const;

/**
 * Holders in the order of their units: sign −1 takes away the place that a holder had, sign 1 gives a new one, at most
 * one of each a position and block. neg is −units. See holder-order.ts.
 */
export const HOLDER_ORDER = {
  name: 'holder_order',
  module: 'rights',
  key: [],
  columns: ORDER_COLUMNS,
} as const satisfies DerivedTable;

/** What is left of them over ranges of `span` heights, of which height is the last; made by the store (holder-order.ts). */
export const HOLDER_ORDER_SUMS = {
  name: 'holder_order_sums',
  module: 'rights',
  key: [],
  columns: [['span', 'UInt32'], ...ORDER_COLUMNS],
} as const satisfies DerivedTable;
