import { chmod, cp, mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { StrataError } from 'strata-kit/errors';
import { type BackupContent, backupStore, type EnginePlace } from '../store/backup.ts';
import { STAGING } from '../store/embedded.ts';
import { makeOwnFolder } from '../store/engine-config.ts';
import type { StoreFactory } from '../store/store.ts';

/** Backups of an embedded store, made by whichever process has its folder open. */

/**
 * Backs up an open embedded store into a folder that is not there yet. It gets its name when it is whole.
 * Errors: config_invalid when it is there or cannot be made; those of backupStore.
 */
export async function backupFolder(
  stores: StoreFactory,
  dataFolder: string,
  to: string,
): Promise<BackupContent> {
  await checkTarget(to, dataFolder);
  const staged = join(dataFolder, STAGING, 'backup');
  await rm(staged, { recursive: true, force: true });
  await makeOwnFolder(dirname(staged));
  const session = await stores.open('backup');
  try {
    const content = await backupStore(session, stores.name, { kind: 'file', path: staged });
    await chmod(staged, 0o700);
    await moveFolder(staged, to);
    return content;
  } finally {
    await session.close();
    await rm(staged, { recursive: true, force: true });
  }
}

/** Errors: config_invalid. */
export async function checkTarget(to: string, dataFolder: string): Promise<void> {
  const target = resolve(to);
  if (target === dataFolder || target.startsWith(`${dataFolder}${sep}`)) {
    throw new StrataError(
      'config_invalid',
      `--to ${target} lies in the data folder: take a folder outside of it`,
    );
  }
  if (await exists(target)) {
    throw new StrataError('config_invalid', `--to ${target} is there already: name a folder to make`);
  }
  try {
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StrataError('config_invalid', `--to ${target} cannot be made: ${reason}`, { cause });
  }
}

/** What a server calls a place of its own: a path, or `disk:<name>/<path>`. Errors: config_invalid. */
export function serverPlace(text: string, flag: string): EnginePlace {
  if (!text.startsWith('disk:')) return { kind: 'file', path: text };
  const match = /^disk:(\w+)\/(.+)$/.exec(text);
  if (match === null) throw new StrataError('config_invalid', `${flag} ${text} must be disk:<name>/<path>`);
  const [, disk = '', path = ''] = match;
  return { kind: 'disk', disk, path };
}

/** To another disk it is copied under another name first, so that the name stands for a whole backup. */
async function moveFolder(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw cannotWrite(to, error);
    const partial = `${to}.partial`;
    try {
      await mkdir(partial, { mode: 0o700 });
      await cp(from, partial, { recursive: true, errorOnExist: true, force: false });
      await rename(partial, to);
    } catch (failure) {
      await rm(partial, { recursive: true, force: true });
      throw cannotWrite(to, failure);
    }
  }
}

function cannotWrite(to: string, cause: unknown): StrataError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new StrataError('config_invalid', `the backup cannot be put at ${to}: ${reason}`, { cause });
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
