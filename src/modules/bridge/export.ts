import { columnNames } from '../../core/reading.ts';
import type { ModuleExport, QueryJson, RecordFields } from '../export.ts';
import { bigint, bool, integer, list, text, texts } from '../export-json.ts';
import { BRIDGE_ROUTES, BRIDGE_TRANSFERS } from './tables.ts';

const NS_PER_SECOND = 1_000_000_000n;

/** Routes by id, with what is used as of the block's time, and the ids of messages that came in. */
export const bridgeExport: ModuleExport = {
  chain: (exported, { timeNs }) =>
    new Map<string, RecordFields>([
      ...list(exported, 'routes').map(
        (route) => [`route ${text(route, 'route_id')}`, chainRoute(route, timeNs)] as const,
      ),
      ...texts(exported, 'received_message_ids').map((id) => [`message ${id}`, {}] as const),
    ]),
  store: async (state, { timeNs }) => {
    const routes = await state.latest(BRIDGE_ROUTES, columnNames(BRIDGE_ROUTES), (row) => {
      const id = row.route_id;
      const plain = {
        remote_domain: String(row.remote_domain),
        remote_contract: row.remote_contract,
        direction: row.direction,
        local_denom: row.local_denom,
        status: row.status,
        window_seconds: String(row.window_seconds),
        outbound_limit: String(row.outbound_limit),
        inbound_limit: String(row.inbound_limit),
        warp_token_id: row.warp_token_id,
        display: row.display,
        exponent: String(row.exponent),
        asset_id: row.asset_id,
        kind_id: String(row.kind_id),
        bundle: String(row.bundle),
        escrow_address: row.escrow_address,
        outbound: String(row.outbound),
        inbound: String(row.inbound),
      };
      const [outUsed, inUsed, outWindow, inWindow] = [
        row.outbound_used,
        row.inbound_used,
        row.outbound_window,
        row.inbound_window,
      ];
      const used = (amount: bigint, window: bigint) =>
        usedAt(amount, window, BigInt(plain.window_seconds), timeNs);
      const fields = {
        ...plain,
        outbound_used: used(outUsed, outWindow),
        inbound_used: used(inUsed, inWindow),
      };
      return [`route ${id}`, fields] as const;
    });
    const received = await state.rows(
      BRIDGE_TRANSFERS,
      ['message_id'],
      "direction = 'in'",
      (row) => [`message ${row.message_id}`, {}] as const,
    );
    return new Map<string, RecordFields>([...routes, ...received]);
  },
};

function chainRoute(route: QueryJson, timeNs: bigint): RecordFields {
  const windowSeconds = integer(route, 'window_seconds');
  const used = (direction: 'outbound' | 'inbound') =>
    usedAt(
      bigint(route, `${direction}_used`),
      bigint(route, `${direction}_window`),
      bigint(route, 'window_seconds'),
      timeNs,
    );
  return {
    remote_domain: integer(route, 'remote_domain'),
    remote_contract: text(route, 'remote_contract'),
    direction: text(route, 'direction'),
    local_denom: text(route, 'local_denom'),
    status: text(route, 'status'),
    window_seconds: windowSeconds,
    outbound_limit: integer(route, 'outbound_limit'),
    inbound_limit: integer(route, 'inbound_limit'),
    warp_token_id: text(route, 'warp_token_id'),
    display: text(route, 'display'),
    exponent: integer(route, 'exponent'),
    asset_id: text(route, 'asset_id'),
    kind_id: integer(route, 'kind_id'),
    bundle: bool(route, 'bundle'),
    escrow_address: text(route, 'escrow_address'),
    outbound: integer(route, 'outbound'),
    inbound: integer(route, 'inbound'),
    outbound_used: used('outbound'),
    inbound_used: used('inbound'),
  };
}

/** What counts of a window that may be over (modules.md rule 8). */
function usedAt(used: bigint, window: bigint, windowSeconds: bigint, timeNs: bigint): string {
  const now = windowSeconds === 0n ? 0n : timeNs / (windowSeconds * NS_PER_SECOND);
  return String(window === now ? used : 0n);
}
