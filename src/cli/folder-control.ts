import { join } from 'node:path';
import { type ControlServer, listenControl } from '../admin/control.ts';
import { StrataError } from '../core/errors.ts';
import type { StoreFactory } from '../store/store.ts';
import { backupFolder } from './backups.ts';
import { readVerification, verifyStores } from './verification.ts';

/** What the process that has a data folder open does for others. */

export const BACKUP_REQUEST = 'backup';
export const VERIFY_REQUEST = 'verify';

export function controlPath(dataFolder: string): string {
  return join(dataFolder, 'control.sock');
}

export function offerControl(stores: StoreFactory, dataFolder: string): Promise<ControlServer | undefined> {
  return listenControl(controlPath(dataFolder), {
    [BACKUP_REQUEST]: (argument) => {
      const { to } = argument as { readonly to?: unknown };
      if (typeof to !== 'string') throw new StrataError('bad_request', 'a backup needs a folder');
      return backupFolder(stores, dataFolder, to);
    },
    [VERIFY_REQUEST]: (argument) => verifyStores(stores, readVerification(argument)),
  });
}
