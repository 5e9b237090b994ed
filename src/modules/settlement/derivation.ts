import { formatTimeNs } from 'strata-kit/time';
import type { TableBuilder } from '../../core/native.ts';
import type { BlockAt, Derivation, EventContext } from '../../derive/derivation.ts';
import { on } from '../../derive/derivation.ts';
import { createClosedRecords } from '../closed-records.ts';
import {
  SETTLEMENT_CANCELLED,
  SETTLEMENT_EXPIRED,
  SETTLEMENT_PROPOSED,
  SETTLEMENT_SETTLED,
  type SettlementEnded,
} from './events.ts';
import { createPendingFloors } from './pending-floors.ts';
import type { SettlementState } from './state.ts';
import { SETTLEMENT_FLOORS, SETTLEMENT_LISTS, SETTLEMENTS } from './tables.ts';

export const PENDING = 'STATUS_PENDING';
/** Why the waterfall module cancels one. */
const LIQUIDATION = 'LIQUIDATION';
/** Closed records keep the place of theirs. */
const ENDINGS = ['STATUS_SETTLED', 'STATUS_CANCELLED', 'STATUS_EXPIRED'] as const;
type Ending = (typeof ENDINGS)[number];

/** As long as it is pending; what it says stays as proposed. */
interface Pending {
  readonly id: bigint;
  readonly proposer: string;
  readonly counterparty: string;
  readonly legs: string;
  readonly expiry: string;
  readonly memoHash: string;
  readonly createdHeight: number;
  readonly createdTimeNs: bigint;
  readonly createdTxHash: Uint8Array;
}

/** How it ended. */
interface End {
  readonly status: Ending;
  readonly reason: string;
  /** Empty where nobody ended it. */
  readonly actor: string;
  readonly txHash: Uint8Array;
}

interface Change {
  readonly settlement: Pending;
  readonly isNew: boolean;
  readonly end?: End;
}

const NO_HASH = new Uint8Array(32);
/** The party of lists without one. The engine turns a comparison with an empty text into one that no index serves. */
export const ALL = '*';

/** Settlements (modules.md rule 6). What they move and lock, the events of rights tell. */
export const settlementDerivation: Derivation<SettlementState> = {
  module: 'settlement',
  tables: [SETTLEMENTS, SETTLEMENT_LISTS, SETTLEMENT_FLOORS],
  reads: [],
  open(setup) {
    const versions = setup.table(SETTLEMENTS);
    const lists = setup.table(SETTLEMENT_LISTS);
    const floors = setup.table(SETTLEMENT_FLOORS);
    const pending = new Map<bigint, Pending>();
    const closed = createClosedRecords();
    const changed = new Map<bigint, Change>();
    const pendingFloors = createPendingFloors();
    /** Floors as of the block's start, of the parties of what it changes. */
    const floorsBefore = new Map<string, bigint>();

    const noteFloors = (settlement: Pending): readonly string[] => {
      const parties = partiesOf(settlement);
      for (const party of parties)
        if (!floorsBefore.has(party)) floorsBefore.set(party, pendingFloors.floorOf(party));
      return parties;
    };

    const statusOf = (id: bigint): string | undefined => {
      if (pending.has(id)) return PENDING;
      const ending = closed.get(id);
      return ending === undefined ? undefined : ENDINGS[ending];
    };
    const isKnown = ({ id }: { readonly id: bigint }): boolean => statusOf(id) !== undefined;

    const endAs = (
      status: Ending,
      { id }: SettlementEnded,
      actor: string,
      context: EventContext,
      reason = '',
    ) => {
      const settlement = pending.get(id);
      if (settlement === undefined) {
        // it has ended already, and stays as it ended
        context.compare('status', statusOf(id) ?? '', PENDING);
        return;
      }
      for (const party of noteFloors(settlement)) pendingFloors.remove(party, id);
      pending.delete(id);
      closed.set(id, ENDINGS.indexOf(status));
      const end = { status, reason, actor, txHash: context.txHash ?? NO_HASH };
      changed.set(id, { settlement, isNew: changed.has(id), end });
    };

    return {
      state: {
        settledNow(id) {
          const change = changed.get(id);
          return change?.end?.status === 'STATUS_SETTLED' ? change.settlement : undefined;
        },
      },
      handlers: [
        on(SETTLEMENT_PROPOSED, (event, context) => {
          const { id, proposer, counterparty, legs, expiryNs, memoHash } = event;
          const known = statusOf(id);
          if (known !== undefined) {
            context.compare('status', known, '');
            return;
          }
          const settlement = {
            id,
            proposer,
            counterparty,
            legs,
            expiry: formatTimeNs(expiryNs),
            memoHash,
            createdHeight: context.height,
            createdTimeNs: context.timeNs,
            createdTxHash: context.txHash ?? NO_HASH,
          };
          for (const party of noteFloors(settlement)) pendingFloors.add(party, id);
          pending.set(id, settlement);
          changed.set(id, { settlement, isNew: true });
        }),
        on(
          SETTLEMENT_SETTLED,
          (event, context) =>
            endAs('STATUS_SETTLED', event, pending.get(event.id)?.counterparty ?? '', context),
          isKnown,
        ),
        on(
          SETTLEMENT_CANCELLED,
          (event, context) =>
            // no party acts in a liquidation, whatever the event names (modules.md rule 6)
            endAs(
              'STATUS_CANCELLED',
              event,
              event.reason === LIQUIDATION ? '' : event.actor,
              context,
              event.reason,
            ),
          isKnown,
        ),
        on(SETTLEMENT_EXPIRED, (event, context) => endAs('STATUS_EXPIRED', event, '', context), isKnown),
      ],
      endBlock(block) {
        for (const change of changed.values()) {
          appendVersion(versions, change, block);
          appendToLists(lists, change, block);
        }
        changed.clear();
        for (const [party, before] of floorsBefore) {
          const floor = pendingFloors.floorOf(party);
          if (floor !== before) appendFloor(floors, party, floor, block);
        }
        floorsBefore.clear();
      },
      async restore(reader) {
        await reader.latest(SETTLEMENTS, ['id', 'status'], (row) => {
          const id = row.id;
          const status = row.status;
          if (status !== PENDING) closed.set(id, ENDINGS.indexOf(status as Ending));
        });
        await reader.latest(
          SETTLEMENTS,
          [
            'id',
            'proposer',
            'counterparty',
            'legs',
            'expiry',
            'memo_hash',
            'created_height',
            'created_time_ns',
            'created_tx_hash',
          ],
          (row) => {
            const settlement = {
              id: row.id,
              proposer: row.proposer,
              counterparty: row.counterparty,
              legs: row.legs,
              expiry: row.expiry,
              memoHash: row.memo_hash,
              createdHeight: row.created_height,
              createdTimeNs: row.created_time_ns,
              createdTxHash: Uint8Array.from(row.created_tx_hash),
            };
            pending.set(settlement.id, settlement);
            for (const party of partiesOf(settlement)) pendingFloors.add(party, settlement.id);
          },
          ['status', [PENDING]],
        );
      },
    };
  },
};

function appendVersion(
  builder: TableBuilder<typeof SETTLEMENTS>,
  { settlement, end }: Change,
  { height, timeNs }: BlockAt,
): void {
  builder.append({
    id: settlement.id,
    height,
    proposer: settlement.proposer,
    counterparty: settlement.counterparty,
    legs: settlement.legs,
    expiry: settlement.expiry,
    status: end?.status ?? PENDING,
    memo_hash: settlement.memoHash,
    cancel_reason: end?.reason ?? '',
    created_height: settlement.createdHeight,
    created_time_ns: settlement.createdTimeNs,
    created_tx_hash: settlement.createdTxHash,
    ended_height: end === undefined ? 0 : height,
    ended_time_ns: end === undefined ? 0n : timeNs,
    ended_tx_hash: end?.txHash ?? NO_HASH,
    end_actor: end?.actor ?? '',
  });
}

function appendToLists(
  builder: TableBuilder<typeof SETTLEMENT_LISTS>,
  { settlement, isNew, end }: Change,
  { height }: BlockAt,
): void {
  const append = (status: string, gone: boolean): void => {
    for (const party of partiesOf(settlement)) {
      builder.append({ party, status, id: settlement.id, height, gone });
    }
  };
  if (isNew) append(PENDING, false);
  if (end === undefined) return;
  append(PENDING, true);
  append(end.status, false);
}

function appendFloor(
  builder: TableBuilder<typeof SETTLEMENT_FLOORS>,
  party: string,
  floor: bigint,
  { height }: BlockAt,
): void {
  builder.append({ party, height, oldest_pending: floor });
}

function partiesOf({ proposer, counterparty }: Pending): readonly string[] {
  return [...new Set([ALL, proposer, counterparty])];
}
