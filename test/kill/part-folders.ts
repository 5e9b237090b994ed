import { existsSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The folders in which the engine keeps its parts, seen from outside: `<partition>_<first>_<last>_<level>`, mostly of `all`. */

/** The folder of every table by name. */
export function tableFolders(data: string): ReadonlyMap<string, string> {
  const links = join(data, 'engine', 'data', 'default');
  // killed before the first table was made
  if (!existsSync(links)) return new Map();
  return new Map(readdirSync(links).map((name) => [name, join(links, readlinkSync(join(links, name)))]));
}

/** A table's parts, oldest first. */
export function partFolders(tableFolder: string): string[] {
  const firstBlock = (name: string): number => Number(name.split('_')[1]);
  return readdirSync(tableFolder)
    .filter((name) => /^(all|\d+)_\d+_\d+_\d+(_\d+)?$/.test(name))
    .sort((a, b) => firstBlock(a) - firstBlock(b))
    .map((name) => join(tableFolder, name));
}

/**
 * The merges that a process was at when it was killed: the folder of a part to be stays behind until the next start.
 * A name may come again, a folder's inode and time do not.
 */
export function unfinishedMerges(data: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [table, folder] of tableFolders(data)) {
    for (const name of readdirSync(folder)) {
      if (!name.startsWith('tmp_merge_')) continue;
      const stat = statSync(join(folder, name), { throwIfNoEntry: false });
      if (stat !== undefined) found.add(`${table}/${name} ${stat.ino} ${stat.birthtimeMs}`);
    }
  }
  return found;
}

export function hasNew(found: ReadonlySet<string>, before: ReadonlySet<string>): boolean {
  return [...found].some((name) => !before.has(name));
}
