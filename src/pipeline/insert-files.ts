import PQueue from 'p-queue';
import type { TableSpec } from '../core/table.ts';
import type { Store } from '../store/store.ts';
import type { SpoolFile } from './spool.ts';

/** Sessions of a writer, and inserts of different tables that run side by side. */
export const WRITER_SESSIONS = 2;

/**
 * Inserts a batch's files, each into its table, WRITER_SESSIONS at a time. Settles when no insert runs any more.
 * `step` is called before each of them. Errors: those of Store.insertNativeFiles; the first one, and no further insert
 * is begun.
 */
export async function insertFiles(
  store: Store,
  tables: readonly TableSpec[],
  files: ReadonlyMap<string, SpoolFile>,
  step: (table: string) => void,
): Promise<void> {
  const queue = new PQueue({ concurrency: WRITER_SESSIONS });
  let failure: { readonly error: unknown } | undefined;
  for (const { name, columns } of tables) {
    const file = files.get(name);
    if (file === undefined) continue;
    void queue.add(async () => {
      if (failure !== undefined) return;
      try {
        step(name);
        await store.insertNativeFiles(
          name,
          columns.map(([column]) => column),
          [file.path],
        );
      } catch (error) {
        failure ??= { error };
      }
    });
  }
  await queue.onIdle();
  if (failure !== undefined) throw failure.error;
}
