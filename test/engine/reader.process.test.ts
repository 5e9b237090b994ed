import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEngineSessions } from '../../src/engine/chdb.ts';
import { isReaderFunction, KEYWORDS, READER_TABLE_FUNCTIONS } from '../../src/engine/reader-policy.ts';
import { openEmbedded } from '../../src/store/embedded.ts';
import { type EngineUnderTest, READER_PASSWORD, startEngine } from '../support/engine.ts';
import { inShort } from '../support/full.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/**
 * The read-only user reads no host file and opens no connection: shown for every table function, table engine and
 * database engine that the engine itself lists, with a file that holds a secret and a port that counts who comes.
 */

const SECRET = 'none of your business 4711';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let engine: EngineUnderTest;
let trap: Server;
let visits = 0;
let secretPath: string;
let trapAddress: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  secretPath = join(folder.path, 'secret.csv');
  await writeFile(secretPath, `${SECRET}\n`);
  trap = createServer((socket) => {
    visits++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
  trapAddress = `127.0.0.1:${(trap.address() as AddressInfo).port}`;
  engine = await startEngine(join(folder.path, 'data'));
  await owner('CREATE TABLE t (a UInt64, b String) ENGINE = MergeTree ORDER BY a');
  await owner("INSERT INTO t SELECT 1, 'seen'");
});

afterAll(async () => {
  await engine.stop();
  await new Promise((resolve) => trap.close(resolve));
  await folder.remove();
});

interface Told {
  readonly status: number;
  readonly code: string | null;
  readonly text: string;
}

async function ask(user: string, password: string, sql: string, parameters = ''): Promise<Told> {
  const response = await fetch(`${engine.url}/?${parameters}`, {
    method: 'POST',
    body: sql,
    headers: { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': password },
  });
  const text = await response.text();
  return { status: response.status, code: response.headers.get('x-clickhouse-exception-code'), text };
}

const owner = async (sql: string): Promise<string> => {
  const told = await ask(engine.user, engine.password, sql);
  if (told.status !== 200) throw new Error(told.text);
  return told.text;
};
const reader = (sql: string, parameters?: string) => ask('reader', READER_PASSWORD, sql, parameters);
const lines = async (sql: string) => (await owner(sql)).split('\n').filter((line) => line !== '');

/** Arguments that fit some source or other; a wrong number of them must not be the reason of a refusal. */
function argumentLists(): readonly string[] {
  const host = `'${trapAddress}'`;
  return [
    '',
    `'${secretPath}'`,
    `'${secretPath}', 'LineAsString'`,
    `'http://${trapAddress}/x.csv', 'LineAsString'`,
    `'http://${trapAddress}/bucket/x', 'key', 'secret', 'CSV', 'a String'`,
    `${host}, 'd', 't', 'u', 'p'`,
    `${host}, 'system', 'one'`,
    `'http://${trapAddress}/', 'cat ${secretPath}', 'CSV', 'a String'`,
    `'cat ${secretPath}', 'CSV', 'a String'`,
    `'c', ${host}, 'LineAsString', 'a String'`,
  ];
}

async function expectRefused(sql: string, parameters?: string): Promise<void> {
  const told = await reader(sql, parameters);
  expect({ sql, status: told.status, code: told.code }).toEqual({ sql, status: 403, code: '497' });
  expect(told.text).not.toContain(SECRET);
}

describe('the read-only user', () => {
  it('reads the tables, and what there is', async () => {
    for (const [sql, expected] of [
      ['SELECT a, b FROM t', '1\tseen\n'],
      ['SELECT count() FROM t WHERE a IN (SELECT number FROM numbers(3))', '1\n'],
      ['WITH x AS (SELECT 1 AS n) SELECT n FROM x FORMAT CSV', '1\n'],
      ['SHOW TABLES', 't\n'],
      ['DESCRIBE TABLE t FORMAT TSV', /^a\tUInt64/],
      ['EXISTS TABLE t', '1\n'],
      ["SELECT name FROM system.tables WHERE database = 'default'", 't\n'],
      [
        'SELECT 1 FORMAT TSV SETTINGS max_execution_time = 5, output_format_json_quote_64bit_integers = 0',
        '1\n',
      ],
      [
        "SELECT 'INTO OUTFILE, file(1); SETTINGS x = 1' AS settings",
        'INTO OUTFILE, file(1); SETTINGS x = 1\n',
      ],
      ['SELECT url, path FROM (SELECT 1 AS url, 2 AS path)', '1\t2\n'],
    ] as const) {
      const told = await reader(sql);
      expect(told.text, sql).toMatch(expected);
    }
  });

  it('never reads the key of the API’s cursors, by any way to name its table', async () => {
    await owner('CREATE TABLE cursor_keys (key String) ENGINE = MergeTree ORDER BY key');
    await owner(`INSERT INTO cursor_keys VALUES ('${SECRET}')`);
    try {
      for (const sql of [
        'SELECT key FROM cursor_keys',
        'SELECT * FROM default.cursor_keys',
        'SELECT * FROM `cursor_keys`',
        'SELECT * FROM "default"."cursor_keys"',
        'SELECT * FROM `cursor\\x5fkeys`',
        'SELECT * FROM CURSOR_KEYS',
        'SELECT a FROM t WHERE b IN cursor_keys',
        'SELECT a FROM t WHERE b IN default.cursor_keys',
        'SELECT a FROM t WHERE b > (SELECT max(key) FROM cursor_keys)',
        'SELECT * FROM view(SELECT * FROM cursor_keys)',
        'WITH k AS (SELECT * FROM cursor_keys) SELECT * FROM k',
        'SELECT * FROM t JOIN cursor_keys ON 1',
        'SELECT a FROM t UNION ALL SELECT length(key) FROM cursor_keys',
        'EXPLAIN SELECT * FROM cursor_keys',
        'SELECT * FROM cursor_keys_local',
        "SELECT * FROM merge('default', 'cursor_.*')",
        "SELECT * FROM mergeTreeIndex('default', 'cursor_keys')",
      ]) {
        await expectRefused(sql);
      }
      await expectRefused('SELECT * FROM {t:Identifier}', 'param_t=cursor_keys');
      // the owner, whom API processes are, does
      expect(await owner('SELECT key FROM cursor_keys')).toContain(SECRET);
    } finally {
      await owner('DROP TABLE cursor_keys');
    }
  });

  it('has no grant on the cursors’ key or other databases, should a statement get past the policy', async () => {
    const own = join(folder.path, 'grants');
    const stores = await openEmbedded({ folder: own });
    try {
      const store = await stores.open('owner');
      await store.command('CREATE TABLE cursor_keys (key String) ENGINE = MergeTree ORDER BY key');
      const sessions = await openEngineSessions(own, { memoryBytes: 1e9, resultBytes: 1e9, diskBytes: 1e9 });
      const session = await sessions.open('reader');
      await expect(session.run('SELECT 1', 'TSV')).resolves.toBeDefined();
      await store.command('CREATE DATABASE other');
      await store.command('CREATE TABLE other.t (a String) ENGINE = MergeTree ORDER BY a');
      await expect(session.run('SELECT name FROM system.tables', 'TSV')).resolves.toBeDefined();
      for (const sql of [
        'SELECT key FROM cursor_keys',
        "SELECT * FROM merge('default', '.*')",
        'SELECT * FROM other.t',
        "SELECT 'a' IN other.t",
        'SHOW CREATE TABLE other.t',
      ]) {
        await expect(session.run(sql, 'TSV')).rejects.toThrow(/Not enough privileges/);
      }
      session.close();
      await sessions.close();
    } finally {
      await stores.close();
    }
  });

  it('uses no table function that reaches outside, of all that the engine has', async () => {
    const names = await lines('SELECT name FROM system.table_functions ORDER BY name');
    expect(names.length).toBeGreaterThan(80);
    const before = visits;
    for (const name of inShort(names, 4)) {
      if (READER_TABLE_FUNCTIONS.has(name.toLowerCase())) continue;
      for (const list of argumentLists().slice(0, 4)) {
        for (const sql of [`SELECT * FROM ${name}(${list})`, `DESCRIBE TABLE ${name}(${list})`]) {
          const told = await reader(sql);
          expect(told.text, sql).not.toContain(SECRET);
          // those that take a query parse as nothing else
          const code = name.startsWith('view') && told.code === '62' ? '62' : '497';
          expect({ sql, code: told.code }).toEqual({ sql, code });
        }
      }
    }
    await expectRefused("SELECT * FROM viewIfPermitted(SELECT 1 AS a ELSE null('a UInt8'))");
    expect(visits).toBe(before);
  }, 300_000);

  it('makes no table of any engine, no database, no dictionary', async () => {
    const before = visits;
    const engines = await lines('SELECT name FROM system.table_engines ORDER BY name');
    expect(engines.length).toBeGreaterThan(40);
    for (const name of inShort(engines, 4)) {
      for (const list of argumentLists().slice(1, 2)) {
        await expectRefused(`CREATE TABLE stolen (a String) ENGINE = ${name}(${list})`);
        await expectRefused(`CREATE TEMPORARY TABLE stolen (a String) ENGINE = ${name}(${list})`);
      }
    }
    for (const name of await lines('SELECT name FROM system.database_engines')) {
      await expectRefused(`CREATE DATABASE stolen ENGINE = ${name}('${trapAddress}', 'd', 'u', 'p')`);
    }
    for (const source of [
      `HTTP(URL 'http://${trapAddress}/' FORMAT 'CSV')`,
      `FILE(PATH '${secretPath}' FORMAT 'CSV')`,
    ]) {
      await expectRefused(
        `CREATE DICTIONARY stolen (a String) PRIMARY KEY a SOURCE(${source}) LAYOUT(HASHED()) LIFETIME(1)`,
      );
    }
    expect(visits).toBe(before);
    expect(await owner('SHOW TABLES')).toBe('t\n');
  }, 300_000);

  it('writes nothing, changes no setting that reaches outside, and never becomes the owner', async () => {
    const out = join(folder.path, 'out.csv');
    for (const sql of [
      `SELECT * FROM t INTO OUTFILE '${out}'`,
      `SELECT * FROM t INTO/**/OUTFILE '${out}' FORMAT CSV`,
      "INSERT INTO t VALUES (2, 'x')",
      'INSERT INTO t SELECT * FROM t',
      `INSERT INTO FUNCTION file('${out}', 'CSV') SELECT 1`,
      `INSERT INTO t FROM INFILE '${secretPath}' FORMAT CSV`,
      'WITH 1 AS x INSERT INTO t SELECT x, x',
      'SET ROLE ALL',
      'SET ROLE strata_owner',
      'SET readonly = 0',
      'USE system',
      'SYSTEM FLUSH LOGS',
      'SYSTEM SHUTDOWN',
      'KILL QUERY WHERE 1',
      'GRANT ALL ON *.* TO default',
      'EXECUTE AS default SELECT 1',
      'CREATE VIEW v AS SELECT 1',
      'CREATE FUNCTION f AS (x) -> file(x)',
      'CREATE USER x',
      `ATTACH TABLE x FROM '${folder.path}' (a String) ENGINE = File(CSV)`,
      `BACKUP TABLE t TO File('${out}')`,
      'DROP TABLE t',
      'TRUNCATE TABLE t',
      'DELETE FROM t WHERE 1',
      'ALTER TABLE t DELETE WHERE 1',
      'OPTIMIZE TABLE t',
      'SELECT 1 PARALLEL WITH SELECT 2',
      'SHOW PROCESSLIST',
      'SHOW GRANTS',
      'SELECT * FROM system.processes',
      'SELECT * FROM "system"."processes"',
      'SELECT * FROM `system` . /* */ `disks`',
      'SELECT * FROM system.parts',
      'SELECT * FROM system.server_settings',
      'SELECT * FROM t WHERE a IN system.numbers_of_none',
      "SELECT 1 SETTINGS format_schema = '/etc/passwd'",
      'SELECT (SELECT 1 SETTINGS max_memory_usage = 0)',
      "SELECT 1 SETTINGS max_threads = 1, dialect = 'prql'",
      "SELECT 1 FORMAT Template SETTINGS format_template_row = '/etc/passwd'",
      `SELECT 1 FORMAT CSV SETTINGS output_format_schema = '${out}'`,
      `EXPLAIN TABLE OVERRIDE mysql('${trapAddress}', 'a', 'b', 'c', 'd') COLUMNS (a UInt8)`,
      `EXPLAIN SELECT * FROM url('http://${trapAddress}/', 'CSV', 'a String')`,
      `SELECT file('${secretPath}')`,
      `SELECT FILE('${secretPath}')`,
      `SELECT \`file\`('${secretPath}')`,
      `SELECT * APPLY file FROM (SELECT '${secretPath}')`,
      `SELECT arrayMap(x -> file(x), ['${secretPath}'])`,
      `SELECT 1 /* ' */ + length(file('${secretPath}')) -- '`,
      `SELECT $$'$$, file('${secretPath}')`,
    ]) {
      await expectRefused(sql);
    }
    await expectRefused('SELECT * FROM {d:Identifier}.processes', 'param_d=system');
    await expectRefused('SELECT * FROM processes', 'database=system');
    for (const setting of [
      'format_schema=x',
      'max_memory_usage=0',
      'dialect=prql',
      'role=strata_owner',
      'allow_ddl=1',
    ]) {
      await expectRefused('SELECT 1', setting);
    }
    // readonly itself is kept as it is
    expect((await reader("SELECT getSetting('readonly')", 'readonly=0')).text).toBe('2\n');
    expect((await reader('SELECT 1 SETTINGS readonly = 0')).code).toBe('164');
    expect((await reader('SELECT 1; SELECT 2')).code).toBe('62');
    expect(existsSync(out)).toBe(false);
    expect(await owner('SELECT count() FROM t')).toBe('1\n');
  }, 120_000);

  it('calls no function that is not on the list, of all that the engine has', async () => {
    const names = await lines('SELECT name FROM system.functions ORDER BY name');
    const refused = names.filter((name) => !isReaderFunction(name));
    expect(refused).toEqual(
      expect.arrayContaining(['file', 'sleep', 'joinGet', 'dictGet', 'chdb', 'aiGenerate']),
    );
    for (const name of inShort(refused, 4)) await expectRefused(`SELECT ${name}('${secretPath}')`);
    // the engine takes a name alone for a function
    await expectRefused(`SELECT arrayMap(file, ['${secretPath}'])`);
    expect((await reader("SELECT arrayMap(length, ['ab'])")).text).toBe('[2]\n');
    for (const name of inShort(refused, 4))
      await expectRefused(`SELECT arrayMap(${name}, ['${secretPath}'])`);
    // no keyword before a bracket, and no function that is allowed, is a way to a refused one
    const reaching = (await lines('SELECT name FROM system.table_functions')).filter(
      (name) => !READER_TABLE_FUNCTIONS.has(name.toLowerCase()),
    );
    for (const name of [...refused, ...reaching]) expect(KEYWORDS.has(name.toLowerCase()), name).toBe(false);
    for (const name of reaching) expect(isReaderFunction(name), name).toBe(false);
  }, 120_000);

  it('never tells which files exist, by a name of a table, however it is written', async () => {
    const absent = join(folder.path, 'absent.csv');
    const forms = [
      (name: string) => `SELECT * FROM ${name}`,
      (name: string) => `EXISTS ${name}`,
      (name: string) => `EXISTS TABLE default.${name}`,
      (name: string) => `DESCRIBE ${name}`,
      (name: string) => `SELECT 1 IN ${name}`,
      (name: string) => `WITH x AS (SELECT * FROM ${name}) SELECT 1 AS ${name} FROM x`,
      (name: string) => `EXPLAIN ESTIMATE SELECT * FROM ${name}`,
    ];
    const strings = [
      (name: string) => `SELECT joinGet('${name}', 'a', 1)`,
      (name: string) => `SELECT hasColumnInTable('default', '${name}', 'a')`,
    ];
    const told = async (statement: string, name: string) => {
      const { status, code, text } = await reader(statement);
      // a hint at a table of a like name depends on the name alone
      const plain = text.replace(/:? Maybe you meant [^?]*\?\.?/, '').replaceAll('`', '');
      return { status, code, text: plain.replaceAll(name.replaceAll('`', ''), '') };
    };
    const same = async (form: (name: string) => string, there: string, missing: string) =>
      expect(await told(form(there), there), form(there)).toEqual(await told(form(missing), missing));
    for (const form of forms) {
      await same(form, `\`${secretPath}\``, `\`${absent}\``);
      // of the folder in which the engine was started
      await same(form, '`package.json`', '`absent12.json`');
      await same(form, 'LICENSE', 'ABSENCE');
    }
    for (const form of strings) await same(form, secretPath, absent);
    expect((await reader('SELECT 1 AS "req/s"')).text).toBe('1\n');
  });

  it('is asked nothing of this machine’s files by the owner either', async () => {
    for (const statement of [
      `SELECT file('${secretPath}')`,
      `SELECT \`fi\\x6ce\`('${secretPath}')`,
      `SELECT * FROM file('${secretPath}', 'LineAsString')`,
      `INSERT INTO t SELECT 9, file('${secretPath}')`,
      `INSERT INTO t FROM INFILE '${secretPath}' FORMAT CSV`,
      `SELECT 1 INTO OUTFILE '${secretPath}' TRUNCATE`,
      `SELECT * FROM \`${secretPath}\``,
      `SELECT arrayMap(file, ['${secretPath}'])`,
      `SELECT arrayMap((file), ['${secretPath}'])`,
      `SELECT arrayMap("file" AS f, ['${secretPath}'])`,
      `SELECT arrayMap(\`fi\\x6ce\`, ['${secretPath}'])`,
      `INSERT INTO t SELECT 9, arrayMap(file, ['${secretPath}'])[1]`,
      `SELECT * APPLY file FROM (SELECT '${secretPath}')`,
    ]) {
      const told = await ask(engine.user, engine.password, statement);
      expect(told, statement).toMatchObject({ code: '497' });
      expect(told.text, statement).not.toContain(SECRET);
    }
    for (const name of ['file', 'fi%5Cx6ce', '%60file%60', '%22file%22', ' file ']) {
      const sql = `SELECT arrayMap({f:Identifier}, ['${secretPath}'])`;
      const told = await ask(engine.user, engine.password, sql, `param_f=${name}`);
      expect([name, told.status >= 400]).toEqual([name, true]);
      expect(told.text, name).not.toContain(SECRET);
    }
    for (const settings of ['', 'input_format_null_as_default=0']) {
      const sql = `INSERT INTO t VALUES (9, file('${secretPath}'))`;
      const values = await ask(engine.user, engine.password, sql, settings);
      expect(values.status).toBeGreaterThanOrEqual(400);
      expect(values.text).toMatch(/Cannot parse|SUPPORT_IS_DISABLED/);
    }
    // the engine has the function in this spelling alone
    expect(
      await lines("SELECT name, case_insensitive FROM system.functions WHERE lower(name) = 'file'"),
    ).toEqual(['file\t0']);
    const upper = await ask(
      engine.user,
      engine.password,
      `SELECT * FROM FILE('${secretPath}', 'LineAsString')`,
    );
    expect(upper.code).not.toBeNull();
    expect(upper.text).not.toContain(SECRET);
    expect(await owner('SELECT count() FROM t')).toBe('1\n');
  });
});
