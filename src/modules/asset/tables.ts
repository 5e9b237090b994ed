import { delta, fixed, flag, i64big, text, texts, u32, u64, u64big, word } from '../../core/columns.ts';
import { derivedTable } from '../../core/table.ts';

/**
 * An asset's versions: one for each block in which it, a kind of it or a policy changed, so that the newest version's
 * height is its updated_height. created_tx_hash is zeros where a block-level event created it.
 */
export const ASSETS = derivedTable({
  name: 'assets',
  module: 'asset',
  key: ['asset_id'],
  granularity: 256,
  columns: {
    asset_id: text,
    height: delta(u64),
    issuer: text,
    nonce: u64big,
    status: word,
    policy_mode: word,
    policy_types: texts,
    policy_attesters: texts,
    operator: text,
    releaser: text,
    meta_hash: text,
    settlement_denom: word,
    liens_allowed: flag,
    distribution_denoms: texts,
    issuance_locked: flag,
    kind_count: u32,
    created_height: u64,
    created_time_ns: i64big,
    created_tx_hash: fixed(32),
    bundle_address: fixed(20),
  },
});

/**
 * A kind's versions. `term` is the API's JSON text, empty where the kind has none; override_mode is empty where the
 * asset's policy holds.
 */
export const ASSET_KINDS = derivedTable({
  name: 'asset_kinds',
  module: 'asset',
  key: ['asset_id', 'kind_id'],
  granularity: 256,
  columns: {
    asset_id: text,
    kind_id: u32,
    height: delta(u64),
    class: word,
    decimals: u32,
    bundle: flag,
    transferable: flag,
    term: text,
    multiplier: u64big,
    bridgeable: flag,
    override_mode: word,
    override_types: texts,
    override_attesters: texts,
    address: fixed(20),
  },
});

/** What lives at an address of the EVM: an asset's bundle (kind_id 0 then), or one of its kinds. */
export const ASSET_TOKENS = derivedTable({
  name: 'asset_tokens',
  module: 'asset',
  key: ['address'],
  granularity: 256,
  columns: {
    address: fixed(20),
    height: u64,
    asset_id: text,
    kind_id: u32,
    bundle: flag,
  },
});
