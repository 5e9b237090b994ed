import { StrataError } from '../errors.ts';
import type { Command, Listed, Stub, WordsCommand } from './command.ts';
import type { Setting } from './setting.ts';

/** The commands of a command line, some of them in packages that may not be installed. */

/** Errors: config_invalid for a command whose package is not installed. */
export async function loadCommand(listed: Listed): Promise<Command | WordsCommand> {
  return listed.kind === 'stub' ? await missingPackage([listed], () => listed.load()) : listed;
}

/**
 * The settings of all commands by key, so that a YAML file and variables that several commands share are read alike by each.
 * Those of packages that are not installed are not known.
 */
export async function knownSettings(
  commands: readonly Listed[],
  common: readonly Setting[],
): Promise<ReadonlyMap<string, Setting>> {
  const known = new Map<string, Setting>();
  const add = (settings: readonly Setting[]): void => {
    for (const one of settings) if (!known.has(one.key)) known.set(one.key, one);
  };
  for (const listed of commands) {
    const found = listed.kind === 'stub' ? await installed(listed) : listed;
    if (found?.kind === 'command') add(found.settings);
  }
  add(common);
  return known;
}

async function installed(one: Stub): Promise<Command | WordsCommand | undefined> {
  try {
    return await one.load();
  } catch (error) {
    if (isMissing(error, one.packageName)) return undefined;
    throw error;
  }
}

/** Runs `use`. Errors: its own; config_invalid with what to install where it lacks the package of a stub. */
export async function missingPackage<T>(commands: readonly Listed[], use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (error) {
    const lacking = commands.find(
      (one): one is Stub => one.kind === 'stub' && isMissing(error, one.packageName),
    );
    if (lacking === undefined) throw error;
    const { name, packageName } = lacking;
    throw new StrataError(
      'config_invalid',
      `\`strata ${name}\` needs the package ${packageName}: npm install ${packageName}`,
      { cause: error },
    );
  }
}

/** Node names a package that it does not find, and not one that lacks another. */
function isMissing(error: unknown, packageName: string): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ERR_MODULE_NOT_FOUND' && error.message.startsWith(`Cannot find package '${packageName}'`);
}
