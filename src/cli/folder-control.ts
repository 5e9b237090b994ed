import { join } from 'node:path';
import { StrataError } from 'strata-kit/errors';
import { type ControlServer, listenControl } from '../admin/control.ts';
import type { RederiveReport } from '../pipeline/rederive.ts';
import type { StoreFactory } from '../store/store.ts';
import { backupFolder } from './backups.ts';
import { readVerification, verifyStores } from './verification.ts';

/** What the process that has a data folder open does for others. */

export const BACKUP_REQUEST = 'backup';
export const VERIFY_REQUEST = 'verify';
export const REINDEX_REQUEST = 'reindex';

/** What a process that indexes or serves does besides, for whoever asks while it has the store open. */
export interface Offers {
  /** Derives modules again from stored facts, all or the one named. */
  reindex?: (module: string | undefined) => Promise<RederiveReport>;
}

export function controlPath(dataFolder: string): string {
  return join(dataFolder, 'control.sock');
}

export function offerControl(
  stores: StoreFactory,
  dataFolder: string,
  offers: Offers,
): Promise<ControlServer | undefined> {
  return listenControl(controlPath(dataFolder), {
    [BACKUP_REQUEST]: (argument) => {
      const { to } = argument as { readonly to?: unknown };
      if (typeof to !== 'string') throw new StrataError('bad_request', 'a backup needs a folder');
      return backupFolder(stores, dataFolder, to);
    },
    [REINDEX_REQUEST]: async (argument) => {
      const { module } = argument as { readonly module?: unknown };
      if (offers.reindex === undefined) {
        throw new StrataError(
          'store_in_use',
          'the process that has the data folder open neither indexes nor serves: wait until it has ended',
        );
      }
      return offers.reindex(typeof module === 'string' ? module : undefined);
    },
    [VERIFY_REQUEST]: (argument) => verifyStores(stores, readVerification(argument)),
  });
}
