import { setTimeout as sleep } from 'node:timers/promises';
import { StrataError } from 'strata-kit/errors';
import { RowReader } from '../core/rowbinary.ts';
import type { Store } from './store.ts';

/** A commit's insert takes seconds; beyond this somebody is at work. */
const MAX_WAIT_MS = 120_000;
const PAUSE_MS = 100;

/**
 * Waits until no statement that changes something runs in the store's database: on a server an insert whose bytes have
 * all arrived goes on after its process was killed, and its rows would come after the repair that is to delete them.
 * Statements are told by their kind, as not every server keeps the ids that clients give them.
 *
 * Errors: store_in_use when they do not end.
 */
export async function waitForWriters(store: Store, maxWaitMs = MAX_WAIT_MS): Promise<void> {
  const startedMs = Date.now();
  while (true) {
    const rows = new RowReader(
      await store.query(`SELECT count(), any(substring(query, 1, 100)) FROM system.processes
WHERE current_database = currentDatabase()
AND query_kind IN ('Insert', 'Delete', 'Alter', 'Create', 'Drop', 'Rename', 'Optimize')`),
    );
    const count = rows.u64();
    if (count === 0) return;
    if (Date.now() - startedMs >= maxWaitMs) {
      throw new StrataError(
        'store_in_use',
        `${count} statements write into this store, for ${maxWaitMs / 1_000} s and more, one of them: ${rows.string()}`,
      );
    }
    await sleep(PAUSE_MS);
  }
}
