import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { CommandContext } from 'strata-kit/cli/context';
import { StrataError } from 'strata-kit/errors';
import type { StoreChoice } from '../../core/store-choice.ts';
import { loadModules, tablesOf } from '../../modules/load.ts';
import { type BackupPlace, restoreStore } from '../../store/backup.ts';
import { checkBackupFolder } from '../../store/backup-folder.ts';
import { keepCursorKey } from '../../store/cursor-keys.ts';
import { serverPlace } from '../backups.ts';
import { withStores } from '../stores.ts';

export interface RestoreOptions {
  readonly store: StoreChoice;
  readonly from: string;
  readonly modulePaths: readonly string[];
}

/** strata restore: a backup into an empty store, verified. Prints what `strata digest` prints last for it. */
export async function restore(options: RestoreOptions, { print, log }: CommandContext): Promise<void> {
  const modules = tablesOf(await loadModules(options.modulePaths));
  const place = await placeOf(options);
  const needs = place.kind === 'folder' ? { backupsFolder: dirname(place.path) } : {};
  const { fromHeight, toHeight, sha256 } = await withStores(
    options.store,
    async (stores) => {
      const store = await stores.open('restore');
      const content = await restoreStore(store, stores.name, place, modules);
      // backups carry none, so that who gets a backup cannot sign cursors of the store that it is of
      await keepCursorKey(store, stores.spoolFolder);
      return content;
    },
    needs,
  );
  log.info(`restored heights ${fromHeight} to ${toHeight} from ${options.from}`);
  print(`${fromHeight} ${toHeight} ${sha256}`);
}

/**
 * Errors: those of checkBackupFolder, and store_not_empty; both before the engine is started or anything is made.
 */
async function placeOf({ store, from }: RestoreOptions): Promise<BackupPlace> {
  if (store.kind === 'server') return serverPlace(from, '--from');
  if (existsSync(join(store.folder, 'engine'))) {
    throw new StrataError('store_not_empty', `The data folder ${store.folder} holds a store already`);
  }
  return checkBackupFolder(resolve(from));
}
