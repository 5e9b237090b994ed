import type { AppDatabase } from '../database/tables.ts';

/** The name in the launchpad's document of a hash; undefined when it has none. */
export async function documentName(database: AppDatabase, metaHash: string): Promise<string | undefined> {
  const row = await database
    .selectFrom('launchpad_documents')
    .select('document')
    .where('meta_hash', '=', metaHash)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { name } = JSON.parse(row.document) as { readonly name?: unknown };
  return typeof name === 'string' ? name : undefined;
}
