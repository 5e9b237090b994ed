import {
  delta,
  fixed,
  flag,
  i64big,
  i256,
  packed,
  text,
  u32,
  u64,
  u64big,
  word,
} from '../../core/columns.ts';
import { derivedTable } from '../../core/table.ts';

/**
 * Encumbrances. `kind` and `status` are as answers print them, `units` are those still locked, `holder_release_after` and
 * `expiry` the text of answers, empty where unset. `resolved_height` is 0 while it is active.
 */
export const ENCUMBRANCES = derivedTable({
  name: 'encumbrances',
  module: 'encumbrance',
  key: ['id'],
  granularity: 256,
  columns: {
    id: delta(u64big),
    height: u64,
    kind: word,
    asset_id: text,
    kind_id: u32,
    holder: text,
    units: i256,
    beneficiary: text,
    income_to_beneficiary: flag,
    holder_release_after: text,
    exercisable: flag,
    expiry: text,
    evidence_hash: text,
    status: word,
    created_height: u64,
    created_time_ns: i64big,
    created_tx_hash: packed(fixed(32)),
    resolved_height: u64,
  },
});

/**
 * What happened to an encumbrance: a row an event, in the order of derivation (`ordinal` within the block). `tx_hash` is
 * zeros and `actor` empty where the block did it; `units` are those of the event.
 */
export const ENCUMBRANCE_TIMELINE = derivedTable({
  name: 'encumbrance_timeline',
  module: 'encumbrance',
  order: ['id', 'height', 'ordinal'],
  granularity: 256,
  columns: {
    id: delta(u64big),
    height: u64,
    ordinal: u32,
    event: word,
    block_time_ns: i64big,
    tx_hash: packed(fixed(32)),
    actor: text,
    actor_role: word,
    units: i256,
  },
});
