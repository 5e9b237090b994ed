import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SECRET_TABLES } from '../store/cursor-keys.ts';

/**
 * The engine's own access control, from a configuration file, which is the only place where an embedded engine takes
 * users from. Every session is of one user, which no argument changes; what it may do hangs on its role, and SET ROLE
 * narrows a session to one. A reader's statements are looked at before they run, so none of them can be SET ROLE.
 */

export const OWNER_ROLE = 'strata_owner';
export const READER_ROLE = 'strata_reader';

/**
 * Besides SELECT and SHOW a reader has no grant: no INSERT, CREATE, SYSTEM, KILL, and no source of data outside. The
 * embedded store is the database default; reader-policy.ts refuses the secret tables of every database.
 */
const USERS = `<clickhouse>
  <profiles><default></default></profiles>
  <quotas><default></default></quotas>
  <roles>
    <${OWNER_ROLE}><grants><query>GRANT ALL ON *.* WITH GRANT OPTION</query></grants></${OWNER_ROLE}>
    <${READER_ROLE}><grants>
      <query>GRANT SELECT ON *.*</query>
${SECRET_TABLES.map((name) => `      <query>REVOKE SELECT ON default.${name}</query>`).join('\n')}
      <query>GRANT SHOW DATABASES, SHOW TABLES, SHOW COLUMNS, SHOW DICTIONARIES ON *.*</query>
    </grants></${READER_ROLE}>
  </roles>
  <users><default>
    <no_password/>
    <networks><ip>::/0</ip></networks>
    <profile>default</profile>
    <quota>default</quota>
    <grants><query>GRANT ${OWNER_ROLE}</query><query>GRANT ${READER_ROLE}</query></grants>
  </default></users>
</clickhouse>
`;

/** Writes the files into `access` below the data folder and returns the engine's argument that names them. */
export async function writeAccess(dataFolder: string): Promise<string> {
  const folder = join(dataFolder, 'access');
  const usersPath = join(folder, 'users.xml');
  const configPath = join(folder, 'config.xml');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(usersPath, USERS, { mode: 0o600 });
  const escaped = usersPath.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  await writeFile(configPath, `<clickhouse><users_config>${escaped}</users_config></clickhouse>\n`, {
    mode: 0o600,
  });
  await chmod(folder, 0o700);
  return `--config-file=${configPath}`;
}
