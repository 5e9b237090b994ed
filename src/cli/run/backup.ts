import { resolve } from 'node:path';
import type { CommandContext } from 'strata-kit/cli/context';
import { isStrataError, StrataError } from 'strata-kit/errors';
import { askControl } from '../../admin/control.ts';
import type { StoreChoice } from '../../core/store-choice.ts';
import { type BackupContent, backupStore } from '../../store/backup.ts';
import { backupFolder, checkTarget, serverPlace } from '../backups.ts';
import { BACKUP_REQUEST, controlPath } from '../folder-control.ts';
import { withStores } from '../stores.ts';

export interface BackupOptions {
  readonly store: StoreChoice;
  /** As typed: a folder of this machine, or what a server calls a place of its own. */
  readonly to: string;
}

/**
 * strata backup: a store as it is at its newest checkpoint. An embedded one is backed up by the process that has it
 * open, by this one where there is none. Prints what `strata digest` prints last for it.
 */
export async function backup(options: BackupOptions, { print, log }: CommandContext): Promise<void> {
  const { fromHeight, toHeight, sha256 } = await makeBackup(options);
  log.info(`backed up heights ${fromHeight} to ${toHeight} to ${options.to}`);
  print(`${fromHeight} ${toHeight} ${sha256}`);
}

async function makeBackup({ store, to }: BackupOptions): Promise<BackupContent> {
  const needs = { mustExist: true };
  if (store.kind === 'server') {
    const place = serverPlace(to, '--to');
    return withStores(
      store,
      async (stores) => backupStore(await stores.open('backup'), stores.name, place),
      needs,
    );
  }
  const target = resolve(to);
  await checkTarget(target, store.folder);
  const answer = await askControl(controlPath(store.folder), BACKUP_REQUEST, { to: target });
  if (answer !== undefined) return answer.result as BackupContent;
  return withStores(store, (stores) => backupFolder(stores, store.folder, target), needs).catch(
    sayWhoIsAsked,
  );
}

function sayWhoIsAsked(error: unknown): never {
  if (!isStrataError(error, 'store_in_use')) throw error;
  throw new StrataError(
    'store_in_use',
    `${error.message}. That process cannot be asked for a backup: it is strata engine (give its URL as --clickhouse), ` +
      "or its data folder's path is too long or its disk unfit for a socket (control.sock)",
    { cause: error },
  );
}
