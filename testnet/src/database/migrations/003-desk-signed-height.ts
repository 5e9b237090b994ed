import type { Kysely } from 'kysely';

/** Only blocks above it may hold a trade's tx: which of them are read when its hash is in none. */
export async function addSignedHeight(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('desk_trades').addColumn('signed_height', 'text').execute();
}
