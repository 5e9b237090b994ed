import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { StrataError } from '../../core/errors.ts';
import { type BackupPlace, restoreStore } from '../../store/backup.ts';
import { keepCursorKey } from '../../store/cursor-keys.ts';
import { serverPlace } from '../backups.ts';
import type { RestoreOptions } from '../options.ts';
import type { CommandContext } from '../program.ts';
import { withStores } from '../stores.ts';

/** strata restore: a backup into an empty store, verified. Prints what `strata digest` prints last for it. */
export async function restore(options: RestoreOptions, { print, log }: CommandContext): Promise<void> {
  const place = placeOf(options);
  const needs = place.kind === 'file' ? { backupsFolder: dirname(place.path) } : {};
  const { fromHeight, toHeight, sha256 } = await withStores(
    options.store,
    async (stores) => {
      const store = await stores.open('restore');
      const content = await restoreStore(store, stores.name, place);
      // backups carry none, so that who gets a backup cannot sign cursors of the store that it is of
      await keepCursorKey(store, stores.spoolFolder);
      return content;
    },
    needs,
  );
  log.info(`restored heights ${fromHeight} to ${toHeight} from ${options.from}`);
  print(`${fromHeight} ${toHeight} ${sha256}`);
}

/** Errors: backup_invalid where there is no folder; store_not_empty before the engine is started on it. */
function placeOf({ store, from }: RestoreOptions): BackupPlace {
  if (store.kind === 'server') return serverPlace(from, '--from');
  const path = resolve(from);
  if (!existsSync(path)) throw new StrataError('backup_invalid', `There is no backup at ${path}`);
  if (existsSync(join(store.folder, 'engine'))) {
    throw new StrataError('store_not_empty', `The data folder ${store.folder} holds a store already`);
  }
  return { kind: 'file', path };
}
