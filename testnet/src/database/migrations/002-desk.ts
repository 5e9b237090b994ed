import type { Kysely } from 'kysely';

export async function createDesk(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('desk_trades')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('settlement_id', 'text')
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('symbol', 'text', (column) => column.notNull())
    .addColumn('asset_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'integer', (column) => column.notNull())
    .addColumn('kind_ids', 'text', (column) => column.notNull())
    .addColumn('side', 'text', (column) => column.notNull())
    .addColumn('units', 'text', (column) => column.notNull())
    .addColumn('price', 'text', (column) => column.notNull())
    .addColumn('amount', 'text', (column) => column.notNull())
    .addColumn('hash', 'text')
    .addColumn('tx', 'text')
    .addColumn('sequence', 'text')
    .addColumn('timeout_height', 'text')
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('note', 'text', (column) => column.notNull())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('updated_at_ms', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('desk_trades_status')
    .on('desk_trades')
    .columns(['status', 'updated_at_ms'])
    .execute();
  await db.schema
    .createTable('desk_calls')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('caller', 'text', (column) => column.notNull())
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('desk_calls_caller').on('desk_calls').columns(['caller', 'at_ms']).execute();
}
