import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { chmod, lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { StrataError } from 'strata-kit/errors';
import { SECRET_TABLES } from './cursor-keys.ts';
import { READER_DATABASES } from './reader-tables.ts';

/**
 * The engine's configuration file: what its sessions may do, and that it reaches no file and no host outside of the data
 * folder. An embedded engine takes users and roles from nowhere else. All sessions are of one user; SET ROLE narrows a
 * session to one role.
 *
 * Two ways out have no grant: the function file() and INTO OUTFILE. Definitions that call a function are refused when the
 * folder is opened (engine-folder.ts), statements of other people by src/engine.
 */

/** Everything inside of the store. */
export const OWNER_ROLE = 'strata_owner';
/** SELECT and SHOW alone. */
export const READER_ROLE = 'strata_reader';
/** Strata's own sessions have it beside the owner's: they read the spool by file(). */
const SPOOL_ROLE = 'strata_spool';

/** Engines of tables and databases that keep their rows in the data folder or in memory. */
const ENGINES = [
  'MergeTree',
  'ReplacingMergeTree',
  'SummingMergeTree',
  'AggregatingMergeTree',
  'Memory',
  'Null',
  'Log',
  'TinyLog',
  'StripeLog',
  'Atomic',
];

const OWNER_GRANTS = [
  'GRANT ALL ON *.* WITH GRANT OPTION',
  'REVOKE SOURCES ON *.*',
  'REVOKE TABLE ENGINE ON *',
  ...ENGINES.map((engine) => `GRANT TABLE ENGINE ON ${engine}`),
  'REVOKE CREATE DICTIONARY ON *.*',
  'REVOKE CREATE FUNCTION ON *.*',
  'REVOKE NAMED COLLECTION ADMIN ON *',
];
const SHOW = 'SHOW DATABASES, SHOW TABLES, SHOW COLUMNS';
/**
 * The embedded engine asks no grant for most system tables. src/engine/reader-policy.ts lists the allowed ones, and refuses
 * the secret tables of every database.
 */
const READER_GRANTS = [
  ...[...READER_DATABASES, 'system'].flatMap((name) => [
    `GRANT SELECT ON ${name}.*`,
    `GRANT ${SHOW} ON ${name}.*`,
  ]),
  ...SECRET_TABLES.map((name) => `REVOKE SELECT ON default.${name}`),
];

/**
 * No statement changes a constrained setting. A table on a disk of its own would be a host or folder of its choice; an
 * expression among the values of an insert would be a function that nobody looked at.
 */
const USERS = `<clickhouse>
  <profiles><default>
    <stop_refreshable_materialized_views_on_startup>1</stop_refreshable_materialized_views_on_startup>
    <allow_introspection_functions>0</allow_introspection_functions>
    <input_format_values_interpret_expressions>0</input_format_values_interpret_expressions>
    <input_format_values_deduce_templates_of_expressions>0</input_format_values_deduce_templates_of_expressions>
    <constraints>
      <input_format_values_deduce_templates_of_expressions><const/></input_format_values_deduce_templates_of_expressions>
      <input_format_values_interpret_expressions><const/></input_format_values_interpret_expressions>
      <allow_introspection_functions><const/></allow_introspection_functions>
      <merge_tree_disk><const/></merge_tree_disk>
      <merge_tree_storage_policy><const/></merge_tree_storage_policy>
    </constraints>
  </default></profiles>
  <quotas><default></default></quotas>
  <roles>
    ${role(OWNER_ROLE, OWNER_GRANTS)}
    ${role(READER_ROLE, READER_GRANTS)}
    ${role(SPOOL_ROLE, ['GRANT READ ON FILE'])}
  </roles>
  <users><default>
    <no_password/>
    <networks><ip>::/0</ip></networks>
    <profile>default</profile>
    <quota>default</quota>
    <grants>${grants([OWNER_ROLE, READER_ROLE, SPOOL_ROLE].map((name) => `GRANT ${name}`))}</grants>
  </default></users>
</clickhouse>
`;

function role(name: string, statements: readonly string[]): string {
  return `<${name}><grants>${grants(statements)}</grants></${name}>`;
}

function grants(statements: readonly string[]): string {
  return statements.map((statement) => `<query>${statement}</query>`).join('');
}

/**
 * How often the engine's background threads wake up. By default each of some 70 tables looks for merges every second or
 * so, which takes 26 ms of CPU a second in a store at rest. A table without work is looked at after 0.5, 1, 2, … seconds
 * instead, at most 60; an insert or mutation wakes it at once. A mutation that cannot start at once waits as long, so the
 * first pause is short. How long replaced parts stay is a setting of the tables (table-ddl.ts).
 */
const BACKGROUND = `<background_processing_pool_thread_sleep_seconds_if_nothing_to_do>0.25</background_processing_pool_thread_sleep_seconds_if_nothing_to_do>
  <background_processing_pool_task_sleep_seconds_when_no_work_multiplier>2</background_processing_pool_task_sleep_seconds_when_no_work_multiplier>
  <background_processing_pool_task_sleep_seconds_when_no_work_max>60</background_processing_pool_task_sleep_seconds_when_no_work_max>
  <memory_worker_period_ms>1000</memory_worker_period_ms>
  <merge_tree>
    <merge_tree_clear_old_parts_interval_seconds>10</merge_tree_clear_old_parts_interval_seconds>
    <merge_tree_clear_old_temporary_directories_interval_seconds>600</merge_tree_clear_old_temporary_directories_interval_seconds>
  </merge_tree>`;

/** An empty list of hosts allows none. The folder of scripts and libraries is never made. */
function serverSettings(usersPath: string, spoolFolder: string, scriptsFolder: string): string {
  return `<clickhouse>
  <users_config>${escapeXml(usersPath)}</users_config>
  <user_files_path>${escapeXml(spoolFolder)}</user_files_path>
  <user_scripts_path>${escapeXml(scriptsFolder)}</user_scripts_path>
  <dictionaries_lib_path>${escapeXml(scriptsFolder)}</dictionaries_lib_path>
  <remote_url_allow_hosts></remote_url_allow_hosts>
  <allowed_disks_for_table_engines>default</allowed_disks_for_table_engines>
  ${BACKGROUND}
  <access_control_improvements><table_engines_require_grant>true</table_engines_require_grant></access_control_improvements>
</clickhouse>
`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

export interface EngineConfig {
  /** The engine's argument that names the file. */
  readonly config: string;
  /** The engine's working folder while it starts. Nothing is ever put there. */
  readonly emptyFolder: string;
}

const FOLDER_PREFIX = 'engine-config-';

/**
 * Starts the engine with a configuration in a new folder, and removes that folder.
 *
 * The engine also reads files beside its configuration (config.d, conf.d, users.d). So it gets a new folder: an older
 * one may have come with the data, or another process may use it. The engine reads the files only when it starts.
 */
export function withEngineConfig<T>(
  dataFolder: string,
  spoolFolder: string,
  start: (config: EngineConfig) => T,
): T {
  const folder = mkdtempSync(join(dataFolder, FOLDER_PREFIX));
  try {
    const emptyFolder = join(folder, 'empty');
    mkdirSync(emptyFolder, { mode: 0o700 });
    const usersPath = join(folder, 'users.xml');
    const configPath = join(folder, 'config.xml');
    writeFileSync(usersPath, USERS, { mode: 0o600 });
    writeFileSync(configPath, serverSettings(usersPath, spoolFolder, join(folder, 'scripts')), {
      mode: 0o600,
    });
    return start({ config: `--config-file=${configPath}`, emptyFolder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Removes what killed processes left. For the process that holds the engine's lock. */
export async function removeLeftConfigs(dataFolder: string): Promise<void> {
  for (const name of await readdir(dataFolder)) {
    if (name.startsWith(FOLDER_PREFIX)) await rm(join(dataFolder, name), { recursive: true, force: true });
  }
}

/**
 * Makes a folder that its owner alone may enter, and closes one that is there to others.
 *
 * Errors: config_invalid for a link: a data folder that came from elsewhere would choose which files are written or
 * deleted. Else those of the file system.
 */
export async function makeOwnFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(async (error: unknown) => {
    if (!(await isLink(folder))) throw error;
  });
  if (await isLink(folder)) {
    throw new StrataError(
      'config_invalid',
      `${folder} is a symbolic link: mount or move the folder itself there`,
    );
  }
  await chmod(folder, 0o700);
}

async function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
}
