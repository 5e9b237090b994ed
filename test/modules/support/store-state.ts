import type { JsonObject } from 'strata-kit/proto-json';
import { RowReader } from '../../../src/core/rowbinary.ts';
import { readCheckpoint } from '../../../src/store/checkpoints.ts';
import type { Store } from '../../../src/store/store.ts';
import { canonical, line, nanoseconds, type State, sortedState, term } from './chain-state.ts';

/**
 * The state that a store has of a chain as of a height, in the lines of chain-state.ts, by plain SQL: the newest version
 * of each key at or below the height. Nothing of what the API reads with is used.
 */
export async function storeState(store: Store, height: number): Promise<State> {
  const { generations } = (await readCheckpoint(store)) ?? { generations: new Map<string, number>() };
  const seen = (module: string) =>
    `generation = ${generations.get(module) ?? 0} AND height <= ${Math.floor(height)}`;

  const rows = async (sql: string): Promise<string[][]> => {
    const reader = new RowReader(await store.query(sql, { timeoutSeconds: 600 }));
    const found: string[][] = [];
    while (!reader.done) found.push(reader.stringArray());
    return found;
  };

  /** The columns, as texts, of each record's newest version. */
  const newest = (
    module: string,
    table: string,
    key: string,
    columns: readonly string[],
    where = '1',
  ): Promise<string[][]> =>
    rows(
      `SELECT [${columns.map((column) => textOf(column)).join(', ')}] FROM (SELECT * FROM ${table} ` +
        `WHERE ${seen(module)} ORDER BY ${key}, height DESC LIMIT 1 BY ${key}) WHERE ${where}`,
    );
  const lines = async (...of: Parameters<typeof newest>): Promise<string[]> =>
    (await newest(...of)).map((row) => line(...row));

  const [time] = await rows(`SELECT [toString(time_ns)] FROM blocks WHERE height = ${height}`);
  const seconds = BigInt(time?.[0] ?? '0') / 1_000_000_000n;
  const inWindow = (direction: string) =>
    `if(window_seconds > 0 AND ${direction}_window = intDiv(${seconds}, greatest(window_seconds, 1)), ${direction}_used, toInt256(0))`;

  return sortedState({
    assets: await lines('asset', 'assets', 'asset_id', [
      ...['asset_id', 'issuer', 'nonce', 'status'],
      `concat(policy_mode, '|', ${joined('policy_types')}, '|', ${joined('policy_attesters')})`,
      ...['operator', 'releaser', 'meta_hash', 'settlement_denom', 'liens_allowed'],
      joined('distribution_denoms'),
      ...['issuance_locked', 'kind_count'],
    ]),
    kinds: (
      await newest('asset', 'asset_kinds', 'asset_id, kind_id', [
        ...['asset_id', 'kind_id', 'class', 'decimals', 'bundle', 'transferable', 'term', 'multiplier'],
        'bridgeable',
        `concat(override_mode, '|', ${joined('override_types')}, '|', ${joined('override_attesters')})`,
      ])
    ).map((row) => line(...row.with(6, term(parsed(row[6]))))),
    positions: await lines(
      'rights',
      'positions',
      'asset_id, kind_id, holder',
      ['asset_id', 'kind_id', 'holder', 'units', 'encumbered'],
      'units != 0 OR encumbered != 0',
    ),
    locks: await lines(
      'rights',
      'locks',
      'asset_id, kind_id, holder, ref',
      ['asset_id', 'kind_id', 'holder', 'ref', 'units'],
      'units != 0',
    ),
    totals: await lines(
      'rights',
      'kind_totals',
      'asset_id, kind_id',
      ['asset_id', 'kind_id', 'supply', 'positions', 'encumbered', 'holder_count'],
      'supply != 0 OR positions != 0 OR encumbered != 0 OR holder_count != 0',
    ),
    accruals: await lines('payout', 'accruals', 'asset_id, kind_id, denom', [
      ...['asset_id', 'kind_id', 'denom', 'income_index', 'carry_scaled', 'total_distributed', 'total_paid'],
      'distributions',
    ]),
    settled: await lines('payout', 'settled_income', 'asset_id, kind_id, account, ref, denom', [
      ...['asset_id', 'kind_id', 'account', 'ref', 'denom', 'last_index', 'accrued'],
    ]),
    routed: await lines(
      'payout',
      'income_routes',
      'asset_id, kind_id, beneficiary, ref',
      ['asset_id', 'kind_id', 'holder', 'ref', 'beneficiary', 'units'],
      'units != 0',
    ),
    settlements: (
      await newest('settlement', 'settlements', 'id', [
        ...['id', 'proposer', 'counterparty', 'legs', 'expiry', 'status', 'memo_hash', 'cancel_reason'],
      ])
    ).map((row) => line(...row.with(3, canonical(parsed(row[3]))).with(4, nanoseconds(row[4])))),
    encumbrances: (
      await newest('encumbrance', 'encumbrances', 'id', [
        ...['id', 'kind', 'asset_id', 'kind_id', 'holder', 'units', 'beneficiary', 'income_to_beneficiary'],
        ...['holder_release_after', 'exercisable', 'expiry', 'evidence_hash', 'status'],
      ])
    ).map((row) => line(...row.with(8, nanoseconds(row[8])).with(10, nanoseconds(row[10])))),
    delegations: (
      await newest('delegation', 'delegations', 'id', [
        ...['id', 'holder', 'asset_id', 'kind_id', 'units', 'delegate', 'until'],
        joined('purposes'),
        ...['revocable', 'ended'],
      ])
    ).map((row) => line(...row.with(6, nanoseconds(row[6])))),
    attestations: (
      await newest('attestation', 'attestations', 'subject, type, attester', [
        ...['subject', 'type', 'attester'],
        'expiry_ns',
        ...['evidence_hash', 'revoked'],
      ])
    ).map((row) => line(...row.with(3, secondsOf(row[3])))),
    tiers: await lines(
      'waterfall',
      'waterfall_tiers',
      'asset_id, tier',
      ['asset_id', 'tier', 'kind_id', 'cap'],
      'dropped = 0',
    ),
    paid: await lines(
      'waterfall',
      'tier_payments',
      'asset_id, tier, denom',
      ['asset_id', 'tier', 'denom', 'cumulative_paid'],
      'cumulative_paid != 0',
    ),
    liquidations: (
      await newest('waterfall', 'liquidations', 'asset_id', [
        ...['asset_id', 'denom', 'initiator', 'began_height', 'began_ns', 'pool', 'closed_height'],
      ])
    ).map((row) => line(...row.with(4, secondsOf(row[4])))),
    pools: await lines('waterfall', 'redemption_pools', 'asset_id, kind_id', [
      ...['asset_id', 'kind_id', 'denom', 'amount', 'units', 'remaining_amount', 'remaining_units'],
    ]),
    routes: await lines('bridge', 'bridge_routes', 'route_id', [
      ...['route_id', 'remote_domain', 'remote_contract', 'direction', 'local_denom', 'status'],
      ...['window_seconds', 'outbound_limit', 'inbound_limit', 'warp_token_id', 'display', 'exponent'],
      ...['asset_id', 'kind_id', 'bundle', 'escrow_address', 'outbound', 'inbound'],
      ...[inWindow('outbound'), inWindow('inbound')],
    ]),
    received: (
      await rows(`SELECT [message_id] FROM bridge_transfers WHERE ${seen('bridge')} AND status = 'completed'`)
    ).map((row) => line(...row)),
    sent: (
      await rows(
        `SELECT [toString(count())] FROM bridge_transfers WHERE ${seen('bridge')} AND status = 'in_flight'`,
      )
    ).map((row) => line(...row)),
  });
}

/** The drift rows of a store, as lines; none is what a chain that tells the truth has. */
export async function driftIn(store: Store): Promise<string[]> {
  const reader = new RowReader(
    await store.query(
      'SELECT [toString(height), toString(tx_index), toString(event_index), toString(type), toString(field), derived, told] ' +
        'FROM drift ORDER BY height, tx_index, event_index, field',
    ),
  );
  const found: string[] = [];
  while (!reader.done) found.push(line(...reader.stringArray()));
  return found;
}

function textOf(column: string): string {
  return `toString(${column})`;
}

function joined(column: string): string {
  return `arrayStringConcat(${column}, ',')`;
}

function parsed(json: string | undefined): JsonObject | null {
  return json === undefined || json === '' ? null : (JSON.parse(json) as JsonObject);
}

function secondsOf(ns: string | undefined): string {
  const whole = BigInt(ns ?? '0');
  return `${whole / 1_000_000_000n}.${String(whole % 1_000_000_000n).padStart(9, '0')}`;
}
