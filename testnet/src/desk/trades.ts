import type { SignedBytes } from 'strata-kit/client/outcome';
import type { Clock } from 'strata-kit/clock';
import type { AppDatabase, DeskTradeRow } from '../database/tables.ts';
import { AppError } from '../errors.ts';

/** The desk's trades in the database. A process that starts goes on with what an earlier one has written here. */
export interface Trades {
  find(id: string): Promise<DeskTradeRow | undefined>;
  /** In place of one of the same id, which has ended. */
  reserve(trade: NewTrade): Promise<void>;
  /** Errors: AppError unavailable when it has ended, by another process of the same database. */
  sign(id: string, tx: SignedBytes): Promise<void>;
  end(
    id: string,
    status: DeskTradeRow['status'],
    more?: { settlementId?: string; note?: string },
  ): Promise<void>;
  /** Whose tx is not known to stand in a block or never to: what they give is held. */
  unresolved(): Promise<readonly DeskTradeRow[]>;
  /** Proposals on the chain, those first that have not been looked at for longest. */
  proposed(limit?: number): Promise<readonly DeskTradeRow[]>;
  /** Looked at, and still pending. */
  touch(ids: readonly string[]): Promise<void>;
  /** Drops what ended so long ago. */
  purge(olderThanMs: number): Promise<void>;
}

export type NewTrade = Pick<
  DeskTradeRow,
  | 'id'
  | 'role'
  | 'settlement_id'
  | 'address'
  | 'symbol'
  | 'asset_id'
  | 'kind'
  | 'kind_ids'
  | 'side'
  | 'units'
  | 'price'
  | 'amount'
  | 'attempts'
>;

const NOTE_LENGTH = 500;
const ENDED = ['settled', 'cancelled', 'expired', 'failed', 'released'] as const;

export function createTrades(db: AppDatabase, clock: Clock): Trades {
  const rows = () => db.selectFrom('desk_trades').selectAll();
  return {
    find: (id) => rows().where('id', '=', id).executeTakeFirst(),
    async reserve(trade) {
      const now = clock.nowMs();
      const row: DeskTradeRow = {
        ...trade,
        ...{ status: 'reserved', hash: null, tx: null, sequence: null, timeout_height: null },
        ...{ signed_height: null, note: '' },
        ...{ created_at_ms: now, updated_at_ms: now },
      };
      await db.transaction().execute(async (transaction) => {
        await transaction
          .deleteFrom('desk_trades')
          .where('id', '=', trade.id)
          .where('status', 'in', [...ENDED])
          .execute();
        await transaction.insertInto('desk_trades').values(row).execute();
      });
    },
    async sign(id, { hash, bytes, sequence, timeoutHeight, signedHeight }) {
      const { numUpdatedRows } = await db
        .updateTable('desk_trades')
        .set({
          status: 'signed',
          hash,
          tx: Buffer.from(bytes).toString('base64'),
          sequence: String(sequence),
          timeout_height: String(timeoutHeight),
          signed_height: String(signedHeight),
          updated_at_ms: clock.nowMs(),
        })
        .where('id', '=', id)
        .where('status', 'in', ['reserved', 'signed'])
        .executeTakeFirstOrThrow();
      if (numUpdatedRows !== 1n) throw new AppError('unavailable', `trade ${id} is not held any more`);
    },
    async end(id, status, { settlementId, note = '' } = {}) {
      await db
        .updateTable('desk_trades')
        .set({
          status,
          ...(settlementId === undefined ? {} : { settlement_id: settlementId }),
          note: note.replaceAll('\0', '').slice(0, NOTE_LENGTH),
          updated_at_ms: clock.nowMs(),
        })
        .where('id', '=', id)
        .execute();
    },
    unresolved: () =>
      rows().where('status', 'in', ['reserved', 'signed']).orderBy('created_at_ms').orderBy('id').execute(),
    proposed(limit) {
      const query = rows().where('status', '=', 'proposed').orderBy('updated_at_ms').orderBy('id');
      return (limit === undefined ? query : query.limit(limit)).execute();
    },
    async touch(ids) {
      if (ids.length === 0) return;
      await db
        .updateTable('desk_trades')
        .set({ updated_at_ms: clock.nowMs() })
        .where('id', 'in', [...ids])
        .execute();
    },
    async purge(olderThanMs) {
      await db
        .deleteFrom('desk_trades')
        .where('status', 'in', [...ENDED])
        .where('updated_at_ms', '<', clock.nowMs() - olderThanMs)
        .execute();
    },
  };
}
