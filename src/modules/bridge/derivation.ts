import { columnNames } from '../../core/reading.ts';
import { type Derivation, type EventContext, on } from '../../derive/derivation.ts';
import { int256 } from '../../derive/int256.ts';
import { payoutDerivation } from '../payout/derivation.ts';
import {
  ESCROW_INCOME_SWEPT,
  ROUTE_CREATED,
  ROUTE_UPDATED,
  TRANSFER_IN,
  TRANSFER_OUT,
  type Transfer,
} from './events.ts';
import { type Route, routeOf } from './records.ts';
import { attemptOf, remoteText } from './rejections.ts';
import { appendRoute, appendTransfer, routeOfRow } from './rows.ts';
import { BRIDGE_INCOME, BRIDGE_ROUTES, BRIDGE_TRANSFERS, BRIDGE_TRANSFERS_BY_ACCOUNT } from './tables.ts';
import { counted, restarted } from './windows.ts';

const NO_HASH = new Uint8Array(32);

/** Routes to other chains and what has passed over them (modules.md rule 8). */
export const bridgeDerivation: Derivation = {
  module: 'bridge',
  tables: [BRIDGE_ROUTES, BRIDGE_INCOME, BRIDGE_TRANSFERS, BRIDGE_TRANSFERS_BY_ACCOUNT],
  reads: ['payout'],
  codespaces: ['bridge'],
  open({ parameters: { namespace }, table, stateOf }) {
    const payout = stateOf(payoutDerivation);
    const routeRows = table(BRIDGE_ROUTES);
    const incomeRows = table(BRIDGE_INCOME);
    const transferRows = {
      transfers: table(BRIDGE_TRANSFERS),
      byAccount: table(BRIDGE_TRANSFERS_BY_ACCOUNT),
    };
    const transferOutUrl = `/${namespace}.bridge.v1.MsgTransferOut`;
    const routes = new Map<string, Route>();
    /** By route and denom, what was swept in all. */
    const income = new Map<string, Map<string, bigint>>();
    /** Of this block. */
    const changed = new Set<string>();
    const changedIncome = new Map<string, Set<string>>();
    /** Routes of this block, with the tx that made them: who failed before it knew no such route. */
    const created = new Map<string, number>();

    const put = (route: Route): void => {
      routes.set(route.routeId, route);
      changed.add(route.routeId);
    };

    const addTransfer = (
      event: Transfer,
      { direction, status }: { readonly direction: 'out' | 'in'; readonly status: 'in_flight' | 'completed' },
      context: EventContext,
    ): void => {
      appendTransfer(transferRows, {
        height: context.height,
        tx_index: context.txIndex,
        event_index: context.eventIndex,
        tx_hash: context.txHash ?? NO_HASH,
        route_id: event.routeId,
        direction,
        status,
        sender: remoteText(event.sender),
        recipient: remoteText(event.recipient),
        amount: event.amount,
        message_id: remoteText(event.messageId),
        reason: '',
        block_time_ns: context.timeNs,
        asset_id: event.assetId,
        kind_id: event.kindId ?? 0,
        bundle: event.bundle,
      });
    };

    const knowsRoute = ({ routeId }: { readonly routeId: string }): boolean => routes.has(routeId);

    return {
      state: undefined,
      handlers: [
        on(
          ROUTE_CREATED,
          (event, { height, timeNs, txIndex }) => {
            put(routeOf({ ...event, remoteContract: remoteText(event.remoteContract) }, height, timeNs));
            created.set(event.routeId, txIndex);
          },
          // a second route of one id is none
          (event) => !knowsRoute(event),
        ),
        on(
          ROUTE_UPDATED,
          ({ routeId, status, outboundLimit, inboundLimit, windowSeconds }, { timeNs }) => {
            const route = routes.get(routeId);
            if (route === undefined) return;
            const outbound = { ...route.outbound, limit: outboundLimit };
            const inbound = { ...route.inbound, limit: inboundLimit };
            const isSame = windowSeconds === route.windowSeconds;
            put({
              ...route,
              status,
              windowSeconds,
              outbound: isSame ? outbound : restarted(outbound, windowSeconds, timeNs),
              inbound: isSame ? inbound : restarted(inbound, windowSeconds, timeNs),
            });
          },
          knowsRoute,
        ),
        on(
          TRANSFER_OUT,
          (event, context) => {
            const route = routes.get(event.routeId);
            if (route === undefined) return;
            const outbound = counted(route.outbound, route.windowSeconds, context.timeNs, event.amount);
            context.compare('outbound_after', outbound.total, event.outboundAfter);
            context.compare('outbound_used_after', outbound.used, event.outboundUsedAfter);
            put({ ...route, outbound, transfers: route.transfers + 1 });
            addTransfer(event, { direction: 'out', status: 'in_flight' }, context);
          },
          knowsRoute,
        ),
        on(
          TRANSFER_IN,
          (event, context) => {
            const route = routes.get(event.routeId);
            if (route === undefined) return;
            const inbound = counted(route.inbound, route.windowSeconds, context.timeNs, event.amount);
            context.compare('inbound_after', inbound.total, event.inboundAfter);
            context.compare('inbound_used_after', inbound.used, event.inboundUsedAfter);
            put({ ...route, inbound, transfers: route.transfers + 1 });
            addTransfer(event, { direction: 'in', status: 'completed' }, context);
          },
          knowsRoute,
        ),
        on(
          ESCROW_INCOME_SWEPT,
          ({ routeId, denom }) => {
            const route = routes.get(routeId);
            if (route === undefined) return;
            put(route);
            const swept = income.get(routeId) ?? new Map<string, bigint>();
            const before = swept.get(denom) ?? 0n;
            // as derived, which payout has compared with what the event tells
            income.set(routeId, swept.set(denom, int256(before + payout.sweptNow())));
            changedIncome.set(routeId, (changedIncome.get(routeId) ?? new Set()).add(denom));
          },
          knowsRoute,
        ),
      ],
      seeFailedTx(tx, { height, timeNs }) {
        const attempt = attemptOf(tx, transferOutUrl);
        if (attempt === undefined) return;
        const route = routes.get(attempt.routeId);
        const isKnown = (created.get(attempt.routeId) ?? -1) < tx.txIndex;
        const { assetId, kindId, bundle } =
          route !== undefined && isKnown ? route : { assetId: '', kindId: 0, bundle: false };
        appendTransfer(transferRows, {
          height,
          tx_index: tx.txIndex,
          event_index: -1,
          tx_hash: tx.txHash,
          route_id: attempt.routeId,
          sender: attempt.sender,
          recipient: attempt.recipient,
          amount: attempt.amount,
          direction: 'out',
          status: 'rejected',
          message_id: '',
          reason: `bridge/${tx.code}`,
          block_time_ns: timeNs,
          asset_id: assetId,
          kind_id: kindId,
          bundle,
        });
      },
      endBlock({ height }) {
        for (const routeId of changed) {
          const route = routes.get(routeId);
          if (route !== undefined) appendRoute(routeRows, route, height);
        }
        for (const [routeId, denoms] of changedIncome) {
          for (const denom of denoms) {
            incomeRows.append({
              route_id: routeId,
              denom,
              height,
              swept: income.get(routeId)?.get(denom) ?? 0n,
            });
          }
        }
        changed.clear();
        changedIncome.clear();
        created.clear();
      },
      async restore(versions) {
        await versions.latest(BRIDGE_ROUTES, columnNames(BRIDGE_ROUTES), (row) => {
          const { updatedHeight: _, ...route } = routeOfRow(row);
          routes.set(route.routeId, route);
        });
        await versions.latest(BRIDGE_INCOME, ['route_id', 'denom', 'swept'], (row) => {
          const routeId = row.route_id;
          const swept = income.get(routeId) ?? new Map<string, bigint>();
          income.set(routeId, swept.set(row.denom, row.swept));
        });
      },
    };
  },
};
