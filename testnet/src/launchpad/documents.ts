import type { Clock } from 'strata-kit/clock';
import type { AppDatabase } from '../database/tables.ts';
import type { HashedDocument } from './document.ts';

/** The documents that are kept. */
export interface Documents {
  has(metaHash: string): Promise<boolean>;
  /** Nothing happens to one that is there. */
  put(document: HashedDocument): Promise<void>;
  /** The canonical text, undefined when unknown. */
  get(metaHash: string): Promise<string | undefined>;
}

export function documentsIn(db: AppDatabase, clock: Clock): Documents {
  return {
    async has(metaHash) {
      const row = await db
        .selectFrom('launchpad_documents')
        .select('meta_hash')
        .where('meta_hash', '=', metaHash)
        .executeTakeFirst();
      return row !== undefined;
    },
    async put({ metaHash, text }) {
      await db
        .insertInto('launchpad_documents')
        .values({ meta_hash: metaHash, document: text, created_at_ms: clock.nowMs() })
        .onConflict((conflict) => conflict.column('meta_hash').doNothing())
        .execute();
    },
    async get(metaHash) {
      const row = await db
        .selectFrom('launchpad_documents')
        .select('document')
        .where('meta_hash', '=', metaHash)
        .executeTakeFirst();
      return row?.document;
    },
  };
}
