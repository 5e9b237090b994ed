import { heightTables } from './repair.ts';
import type { Store } from './store.ts';
import { alignTableSettings } from './table-settings.ts';

const BOOKKEEPING_TABLES: readonly string[] = [
  'checkpoints',
  'source_heads',
  'facts',
  'descriptor_sets',
  'cursor_keys',
];

/**
 * Durable: each insert has its files and the part's folder on the disk before it answers, so that a power failure takes
 * nothing that a checkpoint counts. Otherwise the system writes when it likes, and what a power failure took is found
 * by its row counts and indexed again (recovery.ts). The setting stays with the tables until a writer says otherwise.
 */
export async function alignDurability(store: Store, isDurable: boolean): Promise<void> {
  const value = isDurable ? 1 : undefined;
  const settings = { fsync_after_insert: value, fsync_part_directory: value };
  await alignTableSettings(store, [...(await heightTables(store)), ...BOOKKEEPING_TABLES], settings);
}
