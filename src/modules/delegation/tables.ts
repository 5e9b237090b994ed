import { delta, fixed, flag, i256, packed, text, u32, u64, u64big, word, words } from '../../core/columns.ts';
import { derivedTable } from '../../core/table.ts';

/**
 * Delegations. `until` is the text of answers, `purposes` are printed without their prefix; `ended` is empty and
 * `ended_height` 0 while it is active.
 */
export const DELEGATIONS = derivedTable({
  name: 'delegations',
  module: 'delegation',
  key: ['id'],
  granularity: 256,
  columns: {
    id: delta(u64big),
    height: u64,
    holder: text,
    asset_id: text,
    kind_id: u32,
    units: i256,
    delegate: text,
    until: text,
    purposes: words,
    revocable: flag,
    ended: word,
    created_height: u64,
    created_tx_hash: packed(fixed(32)),
    ended_height: u64,
  },
});

/** By account, holder or delegate, when a delegation began (`gone` 0) and when it ended (`gone` 1). */
export const DELEGATIONS_BY_ACCOUNT = derivedTable({
  name: 'delegations_by_account',
  module: 'delegation',
  order: ['account', 'id', 'height', 'gone'],
  columns: {
    account: text,
    id: delta(u64big),
    height: u64,
    gone: flag,
  },
});
