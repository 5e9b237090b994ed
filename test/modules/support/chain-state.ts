import type { JsonObject } from 'strata-kit/proto-json';
import type { DevnetNode } from '../../support/devnet-node.ts';

/**
 * A chain's state, as its modules' Export answers it, in lines that the store can be held against (store-state.ts): by
 * what they are about, sorted.
 */
export type State = Readonly<Record<string, readonly string[]>>;

type Rows = readonly JsonObject[];

export async function chainState(node: DevnetNode, height: number): Promise<State> {
  const answer = (module: string, method = 'Export') => node.query(module, method, {}, height);
  const of = async (module: string, name: string, method?: string): Promise<Rows> =>
    ((await answer(module, method))[name] ?? []) as unknown as Rows;
  const assets = await of('asset', 'assets');
  const positions = await of('rights', 'positions');
  const bases = await of('payout', 'bases');
  const waterfalls = await of('waterfall', 'waterfalls');
  const routes = await of('bridge', 'routes', 'Routes');
  return sortedState({
    assets: assets.map((asset) =>
      line(
        asset.id,
        asset.issuer,
        asset.nonce,
        asset.status,
        policy(asset.policy),
        (asset.roles as JsonObject).operator,
        (asset.roles as JsonObject).releaser,
        hex(asset.meta_hash),
        asset.settlement_denom,
        flag(asset.liens_allowed),
        list(asset.distribution_denoms),
        flag(asset.issuance_locked),
        rowsOf(asset.kinds).length,
      ),
    ),
    kinds: assets.flatMap((asset) =>
      rowsOf(asset.kinds).map((kind) => {
        const override = rowsOf(asset.policy_overrides).find(({ kind_id }) => kind_id === kind.kind_id);
        return line(
          asset.id,
          kind.kind_id,
          without('KIND_CLASS_', kind.class),
          kind.decimals,
          flag(kind.bundle),
          flag(kind.transferable),
          term(kind.term as JsonObject | null),
          kind.multiplier,
          flag(kind.bridgeable),
          override === undefined ? '||' : policy(override.policy),
        );
      }),
    ),
    positions: positions
      .filter(({ units }) => units !== '0')
      .map((of) => line(of.asset_id, of.kind_id, of.holder, of.units, sum(rowsOf(of.locks), 'units'))),
    locks: positions.flatMap((of) =>
      rowsOf(of.locks).map(({ ref, units }) => line(of.asset_id, of.kind_id, of.holder, ref, units)),
    ),
    totals: (await of('rights', 'supplies'))
      .map(({ asset_id, kind_id, supply }) => {
        const held = positions.filter((at) => at.asset_id === asset_id && at.kind_id === kind_id);
        const locks = held.flatMap((at) => rowsOf(at.locks));
        const holders = held.filter(({ units }) => units !== '0').length;
        return line(asset_id, kind_id, supply, sum(held, 'units'), sum(locks, 'units'), holders);
      })
      .filter((text) => !text.endsWith(' 0 0 0 0')),
    accruals: (await of('payout', 'accruals')).map((of) =>
      line(
        of.asset_id,
        of.kind_id,
        of.denom,
        of.index,
        of.carry_scaled,
        of.total_distributed,
        of.total_paid,
        of.distributions_count,
      ),
    ),
    // a basis that was touched while the index was 0 says no more than one that never was
    settled: bases.flatMap((basis) =>
      rowsOf(basis.accruals)
        .filter(({ last_index, accrued }) => last_index !== '0' || accrued !== '0')
        .map(({ denom, last_index, accrued }) =>
          line(basis.asset_id, basis.kind_id, ownerOf(basis), basis.ref, denom, last_index, accrued),
        ),
    ),
    routed: bases
      .filter(({ ref, units }) => ref !== '' && units !== '0')
      .map((of) => line(of.asset_id, of.kind_id, of.holder, of.ref, of.beneficiary, of.units)),
    settlements: (await of('settlement', 'settlements')).map((of) =>
      line(
        of.id,
        of.proposer,
        of.counterparty,
        canonical(of.legs),
        nanoseconds(of.expiry),
        of.status,
        hex(of.memo_hash),
        of.cancel_reason,
      ),
    ),
    encumbrances: (await of('encumbrance', 'encumbrances')).map((of) =>
      line(
        of.id,
        without('KIND_', of.kind).toLowerCase(),
        of.asset_id,
        of.kind_id,
        of.holder,
        of.units,
        of.beneficiary,
        flag(of.income_to_beneficiary),
        nanoseconds(of.holder_release_after),
        flag(of.exercisable),
        nanoseconds(of.expiry),
        hex(of.evidence_hash),
        without('STATUS_', of.status).toLowerCase(),
      ),
    ),
    delegations: (await of('delegation', 'delegations')).map((of) =>
      line(
        of.id,
        of.holder,
        of.asset_id,
        of.kind_id,
        of.units,
        of.delegate,
        nanoseconds(of.until),
        (of.purposes as readonly string[]).map((purpose) => without('PURPOSE_', purpose)).join(),
        flag(of.revocable),
        of.ended === 'END_REASON_UNSPECIFIED' ? '' : of.ended,
      ),
    ),
    attestations: (await of('attestation', 'attestations')).map((of) =>
      line(of.subject, of.type, of.attester, nanoseconds(of.expiry), hex(of.evidence_hash), flag(of.revoked)),
    ),
    tiers: waterfalls.flatMap((of) =>
      rowsOf(of.tiers).map(({ tier, kind_id, cap }) => line(of.asset_id, tier, kind_id, cap)),
    ),
    paid: waterfalls.flatMap((of) =>
      rowsOf(of.paid)
        .filter(({ cumulative_paid }) => cumulative_paid !== '0')
        .map(({ tier, denom, cumulative_paid }) => line(of.asset_id, tier, denom, cumulative_paid)),
    ),
    liquidations: waterfalls.flatMap(({ asset_id, liquidation }) => {
      if (liquidation === null || liquidation === undefined) return [];
      const of = liquidation as JsonObject;
      const { denom, initiator, began_height, began_at, pool, closed_height } = of;
      return [line(asset_id, denom, initiator, began_height, nanoseconds(began_at), pool, closed_height)];
    }),
    pools: waterfalls.flatMap((of) =>
      rowsOf(of.pools).map((pool) =>
        line(
          of.asset_id,
          pool.kind_id,
          pool.denom,
          pool.amount,
          pool.units,
          pool.remaining_amount,
          pool.remaining_units,
        ),
      ),
    ),
    routes: routes.map((of) =>
      line(
        of.route_id,
        of.remote_domain,
        of.remote_contract,
        of.direction,
        of.local_denom,
        of.status,
        of.window_seconds,
        of.outbound_limit,
        of.inbound_limit,
        of.warp_token_id,
        of.display,
        of.exponent,
        of.asset_id,
        of.kind_id ?? 0,
        flag(of.bundle),
        of.escrow_address,
        of.outbound,
        of.inbound,
        of.outbound_used,
        of.inbound_used,
      ),
    ),
    received: ((await answer('bridge')).received_message_ids as readonly string[]).map(String),
    sent: [String((await answer('bridge')).next_message)],
  });
}

/** Whose income a basis is: the beneficiary's of a route, the holder's of its own. */
function ownerOf({ ref, holder, beneficiary }: JsonObject): unknown {
  return ref === '' ? holder : beneficiary;
}

export function sortedState(state: State): State {
  return Object.fromEntries(Object.entries(state).map(([name, lines]) => [name, lines.toSorted()]));
}

export function line(...values: readonly unknown[]): string {
  return values.map((value) => String(value)).join(' ');
}

/** Keys in an order of their own. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/** A timestamp's seconds and nanoseconds in words that do not depend on how it is printed; `-` where there is none. */
export function nanoseconds(text: unknown): string {
  if (text === null || text === undefined || text === '') return '-';
  const [, seconds = '', fraction = ''] = /^(.*?)(?:\.(\d+))?Z$/.exec(String(text)) ?? [];
  return `${Date.parse(`${seconds}Z`) / 1000}.${fraction.padEnd(9, '0')}`;
}

export function term(of: JsonObject | null): string {
  return of === null || of === undefined ? '-' : `${nanoseconds(of.starts_at)}/${nanoseconds(of.ends_at)}`;
}

function rowsOf(value: unknown): Rows {
  return (value ?? []) as Rows;
}

function policy(value: unknown): string {
  const { mode, required_types, attesters } = value as JsonObject;
  return [without('POLICY_MODE_', mode), list(required_types), list(attesters)].join('|');
}

function list(value: unknown): string {
  return (value as readonly string[]).join();
}

function without(prefix: string, value: unknown): string {
  return String(value).replace(prefix, '');
}

function flag(value: unknown): number {
  return value === true ? 1 : 0;
}

function hex(base64: unknown): string {
  return Buffer.from(String(base64 ?? ''), 'base64').toString('hex');
}

function sum(rows: Rows, name: string): bigint {
  return rows.reduce((total, row) => total + BigInt(String(row[name])), 0n);
}
