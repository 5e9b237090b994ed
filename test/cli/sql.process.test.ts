import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import type { ProgramIo } from 'strata-kit/cli/context';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createStrata } from '../../src/cli/strata.ts';
import { tableLines } from '../../src/cli/table.ts';
import { fixed, i256, text, u64 } from '../../src/core/columns.ts';
import { derivedTable } from '../../src/core/table.ts';
import { READER_TABLE_FUNCTIONS } from '../../src/engine/reader-policy.ts';
import { openEmbedded } from '../../src/store/embedded.ts';
import { createTable } from '../../src/store/table-ddl.ts';
import { READER_PASSWORD, startEngine } from '../support/engine.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { collector } from './console.ts';

/** strata sql over a data folder and over an engine: what it prints, and that it does no more than read. */

const SECRET = 'none of your business 4711';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let data: string;
let secretPath: string;
let trap: Server;
let trapPort = 0;
let visits = 0;

beforeAll(async () => {
  folder = await temporaryFolder();
  data = join(folder.path, 'data');
  secretPath = join(folder.path, 'secret.csv');
  await writeFile(secretPath, `${SECRET}\n`);
  trap = createServer((socket) => {
    visits++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
  trapPort = (trap.address() as AddressInfo).port;
  const stores = await openEmbedded({ folder: data });
  const store = await stores.open('test');
  await store.command(
    createTable(
      derivedTable({ name: 't', module: 'm', columns: { a: i256, b: text, c: fixed(4), height: u64 } }),
    ),
  );
  await store.command(
    "INSERT INTO t (a, b, c) SELECT toInt256('-123456789012345678901234567890'), concat('a\\tb', char(27)), unhex('00ff5c22')",
  );
  await stores.close();
});

afterAll(async () => {
  await new Promise((resolve) => trap.close(resolve));
  await folder.remove();
});

interface Told {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function strata(argv: readonly string[], io: Partial<ProgramIo> = {}): Promise<Told> {
  const [stdout, stderr] = [collector(io.stdout), collector()];
  const exitCode = await createStrata({ env: {}, ...io, stdout, stderr }).run(argv);
  return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
}

const sql = (...argv: readonly string[]): Promise<Told> => strata(['sql', '--data', data, ...argv]);

async function* piped(text: string): AsyncGenerator<string> {
  yield text;
}

describe('a data folder', () => {
  it('answers as a table: numbers whole and to the right, bytes in hex, no control characters', async () => {
    expect(await sql('SELECT a, b, c, NULL AS d FROM t;')).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: [
        '                              a  b         c         d',
        '-------------------------------  --------  --------  ----',
        '-123456789012345678901234567890  a\\tb\\x1b  00ff5c22  ᴺᵁᴸᴸ',
        '',
      ].join('\n'),
    });
  });

  it('answers as CSV and as a JSON array, whose integers are texts where they pass 2^53', async () => {
    const query =
      "SELECT toUInt64('18446744073709551615') AS n, toInt256('-5') AS i, 'x,y' AS s, 1::UInt8 AS b";
    expect((await sql(query, '--format', 'csv')).stdout).toBe(
      '"n","i","s","b"\n18446744073709551615,-5,"x,y",1\n',
    );
    expect(JSON.parse((await sql(query, '--format', 'json')).stdout)).toEqual([
      { n: '18446744073709551615', i: '-5', s: 'x,y', b: 1 },
    ]);
    expect(JSON.parse((await sql('SELECT 1 WHERE 0', '--format', 'json')).stdout)).toEqual([]);
  });

  it('writes Parquet and every other format to a file, which is whole or is not there', async () => {
    const output = join(folder.path, 'out.parquet');
    const told = await sql('SELECT a, b FROM t', '--format', 'parquet', '--output', output);
    expect(told).toEqual({ exitCode: 0, stderr: '', stdout: '' });
    const bytes = await readFile(output);
    expect([bytes.subarray(0, 4).toString(), bytes.subarray(-4).toString()]).toEqual(['PAR1', 'PAR1']);

    const failed = await sql(
      'SELECT throwIf(number = 200000) FROM numbers(300000)',
      '--format',
      'csv',
      '--output',
      join(folder.path, 'failed.csv'),
    );
    expect(failed).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('store_query_failed') });
    expect((await readdir(folder.path)).sort()).toEqual(['data', 'out.parquet', 'secret.csv']);

    await sql('SELECT 7 AS seven', '--output', output);
    expect(await readFile(output, 'utf8')).toBe('seven\n-----\n    7\n');
  });

  it.each([[[]], [['-']]])('reads the statement from stdin: %j', async (argument) => {
    const told = await strata(['sql', '--data', data, ...argument], {
      stdin: piped('-- why\nSELECT 40 + 2 AS n\n'),
    });
    expect(told).toEqual({ exitCode: 0, stderr: '', stdout: ' n\n--\n42\n' });
  });

  it('says that there is no statement', async () => {
    expect(await sql()).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('config_invalid') });
    const empty = await strata(['sql', '--data', data], { stdin: piped('-- nothing\n') });
    expect(empty).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('The statement is empty.') });
  });

  it('ends a table at 10,000 rows and says so', async () => {
    const { stdout, stderr } = await sql('SELECT number FROM numbers(20000)');
    expect(stdout.trimEnd().split('\n')).toHaveLength(10_002);
    expect(stderr).toContain('the first 10000 rows');
  });

  it('says in one short line where a typo is, and a few words of what could stand there', async () => {
    for (const [statement, expected] of [
      [
        'SELEC 1',
        /^strata: bad_request: Syntax error at position 1, at "SELEC": expected \w.* other words\./,
      ],
      ['SELECT a FROM t WHER height = 1', /at position 22, at "height": expected FINAL, .* other words/],
      ['SELECT count( FROM t', /at position 13, at "\(": Unmatched parentheses: \(/],
      ["SELECT 'abc", /at position 8, at "'abc": Single quoted string is not closed/],
    ] as const) {
      const { exitCode, stderr } = await sql(statement);
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(expected) });
      expect(stderr.length).toBeLessThan(200);
    }
  });

  it('wants a file for Parquet, and one of its own formats', async () => {
    expect(await sql('SELECT 1', '--format', 'parquet')).toMatchObject({ exitCode: 2 });
    expect(await sql('SELECT 1', '--format', 'xml')).toMatchObject({ exitCode: 2 });
  });

  it('creates nothing where there is no store', async () => {
    const missing = join(folder.path, 'missing');
    const told = await strata(['sql', '--data', missing, 'SELECT 1']);
    expect(told).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('store_empty') });
    expect(existsSync(missing)).toBe(false);
  });

  it('of another process is store_in_use, with the way to ask it', async () => {
    const child = fork(join(import.meta.dirname, '../support/open-embedded.mjs'), [data]);
    try {
      expect(await once(child, 'message')).toEqual(['open', undefined]);
      const told = await sql('SELECT 1');
      expect(told).toMatchObject({ exitCode: 1, stdout: '' });
      expect(told.stderr).toMatch(/^strata: store_in_use: .*pid \d+.*strata engine.*--clickhouse/);
    } finally {
      child.send('close');
      await once(child, 'exit');
    }
  });
});

/** Everything that writes, reads the host or reaches out; {file} and {port} are filled in. */
const FORBIDDEN = [
  "INSERT INTO t SELECT 1, 'x', 'abcd'",
  'CREATE TABLE u (a UInt8) ENGINE = Memory',
  'CREATE TEMPORARY TABLE u (a UInt8)',
  'DROP TABLE t',
  'TRUNCATE TABLE t',
  'ALTER TABLE t DELETE WHERE 1',
  'DELETE FROM t WHERE 1',
  'OPTIMIZE TABLE t',
  'SYSTEM SHUTDOWN',
  'KILL QUERY WHERE 1',
  'SET max_threads = 1',
  'SET ROLE strata_owner',
  "BACKUP TABLE t TO File('{file}.backup')",
  "SELECT * FROM t INTO OUTFILE '{file}.out'",
  "SELECT 1 INTO /* odd */ OUTFILE '{file}.out'",
  "SELECT file('{file}')",
  "SELECT * FROM file('{file}', 'LineAsString')",
  "SELECT * FROM `file`('{file}', LineAsString)",
  "WITH (SELECT * FROM file('{file}', LineAsString)) AS s SELECT s",
  "DESCRIBE file('{file}')",
  "SELECT * FROM url('http://127.0.0.1:{port}/x', 'LineAsString')",
  "SELECT * FROM remote('127.0.0.1:{port}', system.one)",
  "SELECT * FROM s3('http://127.0.0.1:{port}/b/k', 'CSV', 'a String')",
  "SELECT * FROM mysql('127.0.0.1:{port}', 'd', 't', 'u', 'p')",
  "SELECT * FROM executable('cat {file}', 'LineAsString', 'a String')",
  'SELECT * FROM system.processes',
  'SELECT * FROM system.query_log',
  'SELECT 1 SETTINGS readonly = 0, allow_ddl = 1',
  'SELECT 1; SELECT 2',
  'SELECT 1 FORMAT CSV',
];

function filled(statement: string): string {
  return statement.replaceAll('{file}', secretPath).replaceAll('{port}', String(trapPort));
}

async function expectReadOnly(ask: (statement: string) => Promise<Told>): Promise<void> {
  for (const statement of FORBIDDEN) {
    const told = await ask(filled(statement));
    expect({ statement, exitCode: told.exitCode, stdout: told.stdout }).toEqual({
      statement,
      exitCode: 1,
      stdout: '',
    });
    expect(told.stderr, statement).toMatch(/^strata: (?:bad_request|store_query_failed): /);
    expect(told.stderr, statement).not.toContain(SECRET);
  }
  const { stdout } = await ask('SELECT count() AS n FROM t');
  expect(stdout).toBe('n\n-\n1\n');
  expect(visits).toBe(0);
  expect((await readdir(folder.path)).filter((name) => name.startsWith('secret'))).toEqual(['secret.csv']);
}

describe('read-only', () => {
  it('over a data folder', () => expectReadOnly((statement) => sql(statement)), 120_000);

  it('over an engine, whose owner asks', async () => {
    const engine = await startEngine(data);
    try {
      const as = (user: string, password: string) => (statement: string) =>
        strata([
          'sql',
          '--clickhouse',
          `http://${user}:${password}@${new URL(engine.url).host}/default`,
          statement,
        ]);
      await expectReadOnly(as(engine.user, engine.password));
      expect((await as('reader', READER_PASSWORD)('SELECT b FROM t')).stdout).toContain('a\\tb');
      const wrong = await as('strata', 'not-it-at-all')('SELECT 1');
      expect(wrong).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Authentication failed') });
      expect(wrong.stderr).not.toContain('not-it-at-all');
    } finally {
      await engine.stop();
    }
  }, 120_000);

  it('refuses every table function of the engine that is not made of its arguments alone', async () => {
    const { stdout } = await sql('SELECT name FROM system.table_functions ORDER BY name', '--format', 'json');
    const names = (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name);
    expect(names).toContain('url');
    const refused = names.filter((name) => !READER_TABLE_FUNCTIONS.has(name.toLowerCase()));
    const all = refused.map((name) => `(SELECT count() FROM ${name}('x'))`);
    for (const [at, one] of all.entries()) {
      if (at % 15 !== 0) continue;
      expect(await sql(`SELECT ${one}`), one).toMatchObject({ exitCode: 1, stdout: '' });
    }
  });

  it('over nothing is store_unreachable', async () => {
    const gone = createServer();
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
    const { port } = gone.address() as AddressInfo;
    await new Promise((resolve) => gone.close(resolve));
    const told = await strata(['sql', '--clickhouse', `http://127.0.0.1:${port}/strata`, 'SELECT 1']);
    expect(told).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('store_unreachable') });
  });
});

describe('a table', () => {
  const columns = [
    { name: 'account', isNumber: false },
    { name: 'units', isNumber: true },
    { name: 'memo', isNumber: false },
  ];
  const rows = [['cosmos1abcdefghijklmnop', '10000000000000000000000000', 'short']];

  it('keeps to the width by cutting the widest texts, never numbers', () => {
    expect(tableLines(columns, rows, 50)).toEqual([
      'account                               units  memo',
      '---------------  --------------------------  -----',
      'cosmos1abcdefg…  10000000000000000000000000  short',
    ]);
  });

  it('has its natural width without one', () => {
    expect(tableLines(columns, rows, undefined)[2]).toBe(
      'cosmos1abcdefghijklmnop  10000000000000000000000000  short',
    );
  });
});
