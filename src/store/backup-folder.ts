import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StrataError } from 'strata-kit/errors';
import { loadDefinitions } from './definitions.ts';

/**
 * A backup in a folder of this machine, looked at before anything is made: what its manifest may have the engine read,
 * and which objects it holds.
 */

/** The database's name inside a backup, so that one store's can be restored into another's. */
export const NAME_INSIDE = 'strata';

/** A folder that checkBackupFolder has looked at. */
export interface CheckedBackup {
  readonly kind: 'folder';
  readonly path: string;
}

const MANIFEST = '.backup';
/** A backup of a million files has about 300 MB of it. */
const MAX_MANIFEST_BYTES = 500_000_000;
const MAX_DEFINITION_BYTES = 1_000_000;
const HEAD =
  /^(?:<\?xml [^<>]*\?>)?\s*<config>(?:\s*<(version|deduplicate_files|timestamp|uuid|backup_id)>[^<>&]*<\/\1>)*\s*<contents>/;
const FILE =
  /\s*<file>\s*<name>([^<>&]+)<\/name>\s*<size>(\d+)<\/size>(?:\s*<checksum>[0-9a-f]+<\/checksum>)?(?:\s*<data_file>([^<>&]+)<\/data_file>)?\s*<\/file>/y;
const END = /\s*<\/contents>\s*<\/config>\s*$/y;
const PATH = /^(?!\/)(?!.*(?:^|\/)\.\.?(?:\/|$))[^\0\\]+$/;

/**
 * Errors: backup_invalid for what is no backup, or one that refers to another backup, to a path outside of its folder or
 * to a link; store_foreign_object for one that holds an object that Strata did not make.
 */
export async function checkBackupFolder(path: string): Promise<CheckedBackup> {
  const files = readManifest(path, await readManifestText(path));
  await checkNoLinks(path);
  const definitions = await loadDefinitions();
  for (const [name, dataFile] of files) {
    const object = /^metadata\/(.*)$/.exec(name)?.[1];
    if (object === undefined || object === `${NAME_INSIDE}.sql`) continue;
    const table = new RegExp(`^${NAME_INSIDE}/(\\w+)\\.sql$`).exec(object)?.[1];
    const text = await readDefinition(path, dataFile);
    if (table !== undefined && definitions.knows(table, text, [NAME_INSIDE])) continue;
    throw new StrataError(
      'store_foreign_object',
      `The backup ${path} holds ${JSON.stringify(object)}, which Strata did not make; nothing was restored`,
    );
  }
  return { kind: 'folder', path };
}

/** By name inside of the backup, the file that holds it. */
function readManifest(path: string, text: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  let at = HEAD.exec(text)?.[0].length;
  if (at === undefined) throw invalid(path, 'its manifest has an entry that no backup of Strata has');
  for (;;) {
    FILE.lastIndex = at;
    const found = FILE.exec(text);
    if (found === null) break;
    const [, name = '', , dataFile = name] = found;
    for (const file of [name, dataFile]) {
      if (!PATH.test(file)) throw invalid(path, `its manifest names the file ${JSON.stringify(file)}`);
    }
    files.set(name, dataFile);
    at = FILE.lastIndex;
  }
  END.lastIndex = at;
  if (END.test(text)) return files;
  const entry = text.slice(at, at + 200).trim();
  throw invalid(path, `its manifest has an entry that no backup of Strata has: ${JSON.stringify(entry)}`);
}

async function readManifestText(path: string): Promise<string> {
  const file = join(path, MANIFEST);
  const found = await lstat(file).catch((cause: unknown) => {
    throw new StrataError('backup_invalid', `There is no backup at ${path}`, { cause });
  });
  if (!found.isFile()) throw invalid(path, `${MANIFEST} is no file`);
  if (found.size > MAX_MANIFEST_BYTES) {
    throw invalid(path, `its manifest has ${found.size} bytes, more than ${MAX_MANIFEST_BYTES}`);
  }
  return readFile(file, 'latin1');
}

async function checkNoLinks(path: string): Promise<void> {
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const inside = join(path, entry.name);
    if (entry.isDirectory()) await checkNoLinks(inside);
    else if (!entry.isFile()) throw invalid(path, `${inside} is a link or no file`);
  }
}

async function readDefinition(path: string, dataFile: string): Promise<string> {
  const file = join(path, dataFile);
  const found = await lstat(file).catch((cause: unknown) => {
    throw new StrataError('backup_invalid', `The backup ${path} lacks ${dataFile}`, { cause });
  });
  return found.size > MAX_DEFINITION_BYTES ? '' : readFile(file, 'latin1');
}

function invalid(path: string, reason: string): StrataError {
  return new StrataError('backup_invalid', `The backup ${path} cannot be used: ${reason}`);
}
