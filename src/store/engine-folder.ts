import { type Dirent, existsSync } from 'node:fs';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { StrataError } from 'strata-kit/errors';
import { type Definitions, isHarmlessToDrop, loadDefinitions } from './definitions.ts';
import { findOddFile } from './only-files.ts';

/**
 * The files of a data folder that tell the engine what to load, looked at before it does: opening a folder runs what its
 * views, defaults, dictionaries and unfinished mutations say. A link in it leads the engine to files of others, and a named
 * pipe makes it wait without an end.
 */

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const DATABASE = new RegExp(`^ATTACH DATABASE (?:_|\\w+) UUID '${UUID}'\\s+ENGINE = Atomic\\s*$`);
const DATABASE_LINK = new RegExp(`^(?:.*/)?store/[0-9a-f]{3}/${UUID}/?$`);
const DROPPED = new RegExp(`^\\w+\\.(\\w+)\\.${UUID}\\.sql$`);
/** Folders of the engine that hold no definitions. */
const PLAIN_FOLDERS = new Set(['data', 'tmp', 'store', 'metadata', 'metadata_dropped']);
const PLAIN_FILES = new Set(['status', 'uuid']);
/** What is left of a definition that was being written or dropped; the engine removes it. */
const LEFT_OVER = /\.sql\.tmp$/;
/** Deletes of rows, by height or generation; no function is called. */
const MUTATION =
  /^format version: 1\ncreate time: [\d: -]+\ncommands: \(UPDATE _row_exists = 0 WHERE ((?:\\'[\w.-]*\\'|[\w .,<>=()]|\n)*)\)\n?$/;
const CALL = /\b(?!AND\b|OR\b|NOT\b|IN\b)[A-Za-z_]\w*\s*\(/i;

/**
 * Errors: store_foreign_object, naming the first object that Strata did not make. Cost: one reading of the definitions
 * (about 130 small files), and one listing of each folder, parts included.
 */
export async function checkEngineFolder(engineFolder: string): Promise<void> {
  if (!existsSync(engineFolder)) return;
  const definitions = await loadDefinitions();
  for (const entry of await readdir(engineFolder, { withFileTypes: true })) {
    const path = join(engineFolder, entry.name);
    const isPlain = entry.isDirectory()
      ? PLAIN_FOLDERS.has(entry.name) || (await readdir(path)).length === 0
      : entry.isFile() && PLAIN_FILES.has(entry.name);
    if (!isPlain) throw foreign('entry', entry.name, path);
  }
  for (const entry of await list(join(engineFolder, 'data'))) {
    // a database's folder of links to its tables, which the engine makes anew
    if (!entry.isDirectory()) throw foreign('entry', entry.name, join(engineFolder, 'data', entry.name));
  }
  const databases = await checkDatabases(join(engineFolder, 'metadata'));
  await checkDropped(join(engineFolder, 'metadata_dropped'), definitions, databases);
  const store = join(engineFolder, 'store');
  const odd = await findOddFile([store, join(engineFolder, 'tmp')].filter((folder) => existsSync(folder)));
  if (odd !== undefined) throw foreign(odd.kind, odd.name, odd.path);
  const folders = (await list(store)).map(async (prefix) => {
    if (!prefix.isDirectory()) throw foreign('entry', prefix.name, join(store, prefix.name));
    for (const entry of await list(join(store, prefix.name))) {
      const path = join(store, prefix.name, entry.name);
      if (!entry.isDirectory()) throw foreign('entry', entry.name, path);
      await checkStoredFolder(path, definitions, databases);
    }
  });
  await Promise.all(folders);
}

/** The names of the databases. */
async function checkDatabases(folder: string): Promise<readonly string[]> {
  const names = new Set<string>(['default']);
  for (const entry of await list(folder)) {
    const path = join(folder, entry.name);
    const name = entry.name.replace(/\.sql$/, '');
    const isKnown =
      /^\w+$/.test(name) &&
      (entry.isSymbolicLink()
        ? name === entry.name && DATABASE_LINK.test(await readlink(path))
        : entry.isFile() && name !== entry.name && DATABASE.test(await readFile(path, 'latin1')));
    if (!isKnown && !LEFT_OVER.test(entry.name)) throw foreign('database', name, path);
    names.add(name);
  }
  return [...names];
}

async function checkDropped(
  folder: string,
  definitions: Definitions,
  databases: readonly string[],
): Promise<void> {
  for (const entry of await list(folder)) {
    const path = join(folder, entry.name);
    const name = DROPPED.exec(entry.name)?.[1];
    const text = entry.isFile() ? await readFile(path, 'latin1') : '';
    if (name !== undefined && (definitions.knows(name, text, databases) || isHarmlessToDrop(text))) continue;
    throw foreign('dropped object', entry.name, path);
  }
}

/** A folder of definitions, or one of a table's rows. */
async function checkStoredFolder(
  folder: string,
  definitions: Definitions,
  databases: readonly string[],
): Promise<void> {
  for (const entry of await list(folder)) {
    const path = join(folder, entry.name);
    if (!entry.isFile()) continue;
    if (/^mutation_.*\.txt$/.test(entry.name)) {
      const condition = MUTATION.exec(await readFile(path, 'latin1'))?.[1];
      if (condition === undefined || CALL.test(condition)) throw foreign('mutation', entry.name, path);
    } else if (entry.name.includes('.sql') && !LEFT_OVER.test(entry.name)) {
      const name = entry.name.replace(/\.sql$/, '');
      if (!definitions.knows(name, await readFile(path, 'latin1'), databases)) {
        throw definitions.hasName(name) ? otherDefinition(name, path) : foreign('object', name, path);
      }
    }
  }
}

async function list(folder: string): Promise<readonly Dirent[]> {
  return existsSync(folder) ? readdir(folder, { withFileTypes: true }) : [];
}

/** One of Strata's own names: as a rule the work of another version. */
function otherDefinition(name: string, path: string): StrataError {
  return new StrataError(
    'store_foreign_object',
    `The store defines ${JSON.stringify(name)} otherwise than this version of Strata does; the engine was not started. ` +
      'If another version made the store, use that version, or index into another folder. ' +
      `Otherwise somebody has changed ${JSON.stringify(path)}`,
  );
}

function foreign(kind: string, name: string, path: string): StrataError {
  return new StrataError(
    'store_foreign_object',
    `The store holds the ${kind} ${JSON.stringify(name)}, which Strata did not make; the engine was not started. ` +
      `If it is yours, move ${JSON.stringify(path)} elsewhere`,
  );
}
