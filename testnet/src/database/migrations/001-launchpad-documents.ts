import type { Kysely } from 'kysely';

export async function createLaunchpadDocuments(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('launchpad_documents')
    .addColumn('meta_hash', 'text', (column) => column.primaryKey().notNull())
    .addColumn('document', 'text', (column) => column.notNull())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .execute();
}
