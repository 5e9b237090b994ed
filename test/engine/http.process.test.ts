import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync, inflateSync } from 'node:zlib';
import { type ClickHouseClient, createClient } from '@clickhouse/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEngine } from '../../src/engine/engine.ts';
import { runHere } from '../support/command-here.ts';
import { type EngineUnderTest, READER_PASSWORD, startEngine } from '../support/engine.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** What ClickHouse's clients rely on in its HTTP interface. */

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let engine: EngineUnderTest;
let client: ClickHouseClient;

beforeAll(async () => {
  folder = await temporaryFolder();
  engine = await startEngine(join(folder.path, 'data'));
  client = createClient({ url: engine.url, username: engine.user, password: engine.password });
  await client.command({
    query:
      "CREATE TABLE t (a UInt64, b String DEFAULT 'none', c DateTime('UTC') DEFAULT 0) ENGINE = MergeTree ORDER BY a",
  });
});
afterAll(async () => {
  await client.close();
  await engine.stop();
  await folder.remove();
});

interface Asked {
  readonly body?: string | Uint8Array;
  readonly headers?: Record<string, string>;
  readonly method?: string;
}

async function ask(path: string, { body, headers = {}, method = 'POST' }: Asked = {}) {
  const response = await fetch(`${engine.url}${path}`, {
    method,
    headers: { 'X-ClickHouse-User': engine.user, 'X-ClickHouse-Key': engine.password, ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes, text: bytes.toString('utf8') };
}

describe('the official client', () => {
  it('pings, with and without a query', async () => {
    expect(await client.ping()).toEqual({ success: true });
    expect(await client.ping({ select: true })).toEqual({ success: true });
  });

  it('inserts rows, streams and text with the table’s defaults, and reads them in every kind of format', async () => {
    await client.command({ query: 'TRUNCATE TABLE t' });
    await client.insert({ table: 't', values: [{ a: 1, b: 'é\n\t\\' }, { a: '2' }], format: 'JSONEachRow' });
    const stream = Readable.from([{ a: 3 }, { a: 4, b: 'four' }]);
    await client.insert({ table: 't', values: stream, format: 'JSONEachRow' });
    await client.insert({
      table: 't',
      columns: ['a', 'b'],
      values: Readable.from(['5\tfive\n'], { objectMode: false }),
      format: 'TabSeparated',
    });
    const query = 'SELECT a, b FROM t ORDER BY a';
    const expected = [
      { a: '1', b: 'é\n\t\\' },
      { a: '2', b: 'none' },
      { a: '3', b: 'none' },
      { a: '4', b: 'four' },
      { a: '5', b: 'five' },
    ];
    const settings = { output_format_json_quote_64bit_integers: 1 } as const;
    for (const format of ['JSON', 'JSONEachRow', 'JSONCompactEachRowWithNames', 'JSONCompact'] as const) {
      const rows = await client.query({ query, format, clickhouse_settings: settings });
      expect(rows.response_headers['x-clickhouse-format']).toBe(format);
      const body: unknown = await rows.json();
      if (format === 'JSON') expect(body).toMatchObject({ data: expected, rows: 5 });
      if (format === 'JSONEachRow') expect(body).toEqual(expected);
      if (format === 'JSONCompact') expect(body).toMatchObject({ data: expected.map(({ a, b }) => [a, b]) });
      if (format === 'JSONCompactEachRowWithNames')
        expect(body).toEqual([['a', 'b'], ...expected.map(({ a, b }) => [a, b])]);
    }
    for (const format of ['CSVWithNames', 'TabSeparatedWithNamesAndTypes'] as const) {
      expect((await (await client.query({ query, format })).text()).split('\n')).toContain(
        format === 'CSVWithNames' ? '"a","b"' : 'a\tb',
      );
    }
  });

  it('binds typed parameters, and forgets them and the settings afterwards', async () => {
    const rows = await client.query({
      query:
        "SELECT {n:UInt8} AS n, {s:String} AS s, {l:Array(String)} AS l, getSetting('max_block_size') AS m",
      query_params: { n: 7, s: "it's\t\\ \n {x}", l: ["a'b", 'c'] },
      format: 'JSONEachRow',
      clickhouse_settings: { max_block_size: '1234' },
    });
    expect(await rows.json()).toEqual([{ n: 7, s: "it's\t\\ \n {x}", l: ["a'b", 'c'], m: 1234 }]);
    for (let i = 0; i < 20; i++) {
      expect((await ask('/', { body: "SELECT getSetting('max_block_size')" })).text).not.toBe('1234\n');
    }
    expect((await ask('/', { body: 'SELECT {n:UInt8}' })).headers.get('x-clickhouse-exception-code')).toBe(
      '456',
    );
    await ask('/', { body: 'SET max_block_size = 77' });
    expect((await ask('/', { body: "SELECT getSetting('max_block_size')" })).text).not.toBe('77\n');
  });

  it('is told errors by number and name', async () => {
    await expect(client.query({ query: 'SELECT * FROM nowhere' })).rejects.toMatchObject({
      code: '60',
      type: 'UNKNOWN_TABLE',
    });
    await expect(client.command({ query: 'SELEC' })).rejects.toMatchObject({ code: '62' });
    const stranger = createClient({ url: engine.url, username: 'strata', password: 'wrong-password' });
    await expect(stranger.query({ query: 'SELECT 1' })).rejects.toMatchObject({ code: '516' });
    await stranger.close();
  });

  it('streams more than memory should hold, and takes it packed', async () => {
    const packed = createClient({
      url: engine.url,
      username: engine.user,
      password: engine.password,
      compression: { request: true, response: true },
    });
    const rows = await packed.query({ query: 'SELECT number FROM numbers(3000000)', format: 'JSONEachRow' });
    let count = 0;
    for await (const batch of rows.stream()) count += batch.length;
    expect(count).toBe(3_000_000);
    await packed.insert({ table: 't', values: [{ a: 6 }], format: 'JSONEachRow' });
    await packed.close();
    expect((await ask('/', { body: 'SELECT count() FROM t WHERE a = 6' })).text).toBe('1\n');
  });
});

describe('the HTTP interface', () => {
  it('answers health checks without a password', async () => {
    for (const path of ['/ping', '/replicas_status', '/']) {
      const response = await fetch(`${engine.url}${path}`);
      expect([response.status, await response.text()]).toEqual([200, 'Ok.\n']);
    }
    expect((await fetch(`${engine.url}/play`)).status).toBe(404);
  });

  it('takes the password from headers, basic authentication and the URL', async () => {
    const { user, password } = engine;
    const basic = Buffer.from(`${user}:${password}`).toString('base64');
    for (const [path, headers] of [
      ['/?query=SELECT+1', { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': password }],
      ['/?query=SELECT+1', { Authorization: `Basic ${basic}` }],
      [`/?query=SELECT+1&user=${user}&password=${password}`, {}],
      ['/?query=SELECT+1', { 'X-ClickHouse-Key': password }],
    ] as const) {
      expect(await (await fetch(`${engine.url}${path}`, { headers })).text()).toBe('1\n');
    }
    for (const path of [
      '/?query=SELECT+1',
      `/?query=SELECT+1&user=${user}&password=no`,
      `/?query=SELECT+1&user=x&password=${password}`,
    ]) {
      const response = await fetch(`${engine.url}${path}`);
      expect(response.status).toBe(403);
      expect(response.headers.get('x-clickhouse-exception-code')).toBe('516');
      expect(await response.text()).not.toContain(password);
    }
  });

  it('has the headers of a server, and its status codes', async () => {
    const { headers, text } = await ask('/?query_id=mine&default_format=JSONCompactEachRow', {
      body: 'SELECT 1, 2',
    });
    expect(text).toBe('[1, 2]\n');
    expect(headers.get('x-clickhouse-query-id')).toBe('mine');
    expect(headers.get('x-clickhouse-format')).toBe('JSONCompactEachRow');
    expect(headers.get('x-clickhouse-server-display-name')).toBe('strata');
    expect(headers.get('x-clickhouse-timezone')).not.toBeNull();
    expect(JSON.parse(headers.get('x-clickhouse-summary') ?? '')).toHaveProperty('written_rows');
    for (const [sql, status, code] of [
      ['SELECT', 400, '62'],
      ['SELECT nothing', 404, '47'],
      ['SELECT 1 FORMAT Nothing', 404, '73'],
      ['SELECT 1 SETTINGS nothing = 1', 404, '115'],
      ['SELECT 1; SELECT 2', 400, '62'],
      ['SELECT throwIf(1)', 500, '395'],
      ['', 400, '62'],
    ] as const) {
      const told = await ask('/', { body: sql });
      expect([sql, told.status, told.headers.get('x-clickhouse-exception-code')]).toEqual([
        sql,
        status,
        code,
      ]);
      expect(told.text).toMatch(new RegExp(`^Code: ${code}\\. DB::Exception: `));
    }
    expect((await ask('/?database=nowhere', { body: 'SELECT 1' })).status).toBe(404);
    expect((await ask('/?compress=1', { body: 'SELECT 1' })).status).toBe(501);
  });

  it('changes nothing for a GET', async () => {
    const told = await ask(`/?query=${encodeURIComponent('TRUNCATE TABLE t')}`, { method: 'GET' });
    expect([told.status, told.headers.get('x-clickhouse-exception-code')]).toEqual([500, '164']);
    expect(
      (await ask('/?query=INSERT+INTO+t+FORMAT+TSV+1', { method: 'GET' })).headers.get(
        'x-clickhouse-exception-code',
      ),
    ).toBe('164');
  });

  it('takes an insert’s data from the body, the statement in the URL or before it, any bytes', async () => {
    const native = (await ask('/', { body: "SELECT toUInt64(10) AS a, unhex('00ff27') AS b FORMAT Native" }))
      .bytes;
    const insert = async (path: string, asked: Asked) => {
      const told = await ask(path, asked);
      expect([told.status, told.text]).toEqual([200, '']);
      expect(JSON.parse(told.headers.get('x-clickhouse-summary') ?? '{}')).toMatchObject({
        written_rows: '1',
      });
    };
    const inUrl = `/?query=${encodeURIComponent('INSERT INTO t (a, b) FORMAT Native')}`;
    await insert(inUrl, { body: native });
    await insert('/', {
      body: Buffer.concat([
        Buffer.from('INSERT INTO t (a, b) /* é */ SETTINGS async_insert = 0 FORMAT Native\n'),
        native,
      ]),
    });
    await insert(inUrl, { body: gzipSync(native), headers: { 'Content-Encoding': 'gzip' } });
    await insert(inUrl, { body: brotliCompressSync(native), headers: { 'Content-Encoding': 'br' } });
    await insert('/', { body: "INSERT INTO t (a, b) VALUES (10, '\\0\\xff\\'')" });
    expect((await ask('/', { body: 'SELECT hex(b), count() FROM t WHERE a = 10 GROUP BY 1' })).text).toBe(
      '00FF27\t5\n',
    );
    const broken = await ask(inUrl, { body: native.subarray(0, 20) });
    expect(broken.status).toBeGreaterThanOrEqual(400);
    expect((await ask(inUrl, { body: Buffer.alloc(0) })).status).toBe(200);
    expect((await ask(inUrl, { body: native, headers: { 'Content-Encoding': 'zip' } })).status).toBe(501);
    expect((await ask('/', { body: 'SELECT count() FROM t WHERE a = 10' })).text).toBe('5\n');
  });

  it('leaves lz4 and zstd to the engine, where the body is data alone', async () => {
    // `11 <tab> <name of the packing>`, packed by the engine
    for (const [packing, packed] of [
      ['lz4', 'BCJNGEBQdwcAAIAxMQlsejQKAAAAAA=='],
      ['zstd', 'KLUv/QRYQAAAMTEJenN0ZAoBAADSAHEd'],
    ] as const) {
      const body = Buffer.from(packed, 'base64');
      const headers = { 'Content-Encoding': packing };
      expect((await ask('/?query=INSERT+INTO+t+(a,b)+FORMAT+TSV', { body, headers })).text).toBe('');
      expect((await ask('/', { body: `SELECT count() FROM t WHERE b = '${packing}'` })).text).toBe('1\n');
      expect((await ask('/', { body, headers })).status).toBe(501);
    }
  });

  it('packs answers as the client takes them', async () => {
    for (const [encoding, unpack] of [
      ['gzip', gunzipSync],
      ['br', brotliDecompressSync],
      ['deflate', inflateSync],
    ] as const) {
      const url = new URL(`${engine.url}/?enable_http_compression=1&query=SELECT+number+FROM+numbers(5000)`);
      const asked = httpRequest(url, {
        headers: {
          'Accept-Encoding': encoding,
          'X-ClickHouse-User': engine.user,
          'X-ClickHouse-Key': engine.password,
        },
      });
      asked.end();
      const [response] = await once(asked, 'response');
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      expect(response.headers['content-encoding']).toBe(encoding);
      expect(unpack(Buffer.concat(chunks)).toString().split('\n').length).toBe(5_001);
    }
  });

  it('answers rows in brackets as one document', async () => {
    const rows = 'SELECT number FROM numbers(100000)';
    const brackets = 'output_format_json_array_of_rows';
    for (const [parameters, sql] of [
      [`${brackets}=1&max_block_size=10000`, `${rows} FORMAT JSONEachRow`],
      ['', `${rows} SETTINGS ${brackets} = 1, max_block_size = 10000 FORMAT JSONEachRow`],
    ] as const) {
      expect(JSON.parse((await ask(`/?${parameters}`, { body: sql })).text)).toHaveLength(100_000);
    }
  });

  it('finds a column named format', async () => {
    for (const [sql, expected] of [
      ['SELECT format FROM (SELECT 1 AS format)', '1\n'],
      ['SELECT 1 AS format FROM system.one', '1\n'],
      ['SELECT number FROM numbers(2) ORDER BY number AS format DESC', '1\n0\n'],
    ] as const) {
      expect([sql, (await ask('/', { body: sql })).text]).toEqual([sql, expected]);
    }
  });

  it('looks at the table of an insert without rows', async () => {
    for (const [target, status] of [
      ['t (a)', 200],
      ['nowhere', 404],
      ['t (nothing)', 500],
      ['t SETTINGS nothing = 1', 404],
    ] as const) {
      for (const format of ['Native', 'Parquet', 'JSONEachRow']) {
        const path = `/?query=${encodeURIComponent(`INSERT INTO ${target} FORMAT ${format}`)}`;
        expect([target, format, (await ask(path, { body: '' })).status]).toEqual([target, format, status]);
      }
    }
  });

  it('keeps the mark by which queries are stopped', async () => {
    for (const sql of [
      "SELECT 1 SETTINGS log_comment = 'mine'",
      "INSERT INTO t SETTINGS log_comment = 'mine' FORMAT TSV\n1\tx\t0",
      "INSERT INTO t (a) SELECT 1 SETTINGS log_comment = 'mine'",
    ]) {
      const told = await ask('/', { body: sql });
      expect([sql, told.status, told.headers.get('x-clickhouse-exception-code')]).toEqual([sql, 400, '36']);
    }
    expect((await ask('/', { body: 'SELECT 1 AS log_comment WHERE log_comment = 1' })).text).toBe('1\n');
  });

  it('keeps databases apart', async () => {
    await ask('/', { body: 'CREATE DATABASE other' });
    await ask('/?database=other', { body: 'CREATE TABLE t (a UInt8) ENGINE = Memory' });
    expect((await ask('/?database=other', { body: 'SELECT currentDatabase(), count() FROM t' })).text).toBe(
      'other\t0\n',
    );
    for (let i = 0; i < 5; i++)
      expect((await ask('/', { body: 'SELECT currentDatabase()' })).text).toBe('default\n');
    expect(
      (await ask('/', { body: 'SELECT currentDatabase()', headers: { 'X-ClickHouse-Database': 'other' } }))
        .text,
    ).toBe('other\n');
  });

  it('cuts off an answer that fails after it has begun, and says so before', async () => {
    const late =
      'SELECT throwIf(number = 9000000) FROM numbers(10000000) SETTINGS max_block_size = 65536 FORMAT RowBinary';
    await expect(ask('/', { body: late })).rejects.toThrow();
    const json = 'SELECT throwIf(number = 900000) FROM numbers(1000000) FORMAT JSON';
    expect((await ask('/', { body: json })).headers.get('x-clickhouse-exception-code')).toBe('395');
  });

  it('stops a query whose client has gone, and one that runs too long', async () => {
    const endless = 'SELECT sum(sipHash64(number)) FROM numbers(100000000000000)';
    const gone = new AbortController();
    const asked = fetch(`${engine.url}/?user=${engine.user}&password=${engine.password}`, {
      method: 'POST',
      body: endless,
      signal: gone.signal,
    });
    const running = async () =>
      Number(
        (
          await ask('/', {
            body: "SELECT count() FROM system.processes WHERE query LIKE '%sipHash64(number)%' AND query NOT LIKE '%processes%'",
          })
        ).text,
      );
    while ((await running()) === 0);
    gone.abort();
    await expect(asked).rejects.toThrow();
    while ((await running()) > 0);
    const told = await ask('/?max_execution_time=1', { body: endless });
    expect([told.status, told.headers.get('x-clickhouse-exception-code')]).toEqual([408, '159']);
  });

  it('lets the reader set limits and nothing else', async () => {
    const headers = { 'X-ClickHouse-User': 'reader', 'X-ClickHouse-Key': READER_PASSWORD };
    expect(
      (
        await ask('/?max_execution_time=5&wait_end_of_query=1', {
          body: 'SELECT count() > 0 FROM t',
          headers,
        })
      ).text,
    ).toBe('1\n');
    expect((await ask('/?max_memory_usage=1', { body: 'SELECT 1', headers })).status).toBe(403);
  });

  it('answers what Grafana and other tools ask first', async () => {
    const headers = { 'X-ClickHouse-User': 'reader', 'X-ClickHouse-Key': READER_PASSWORD };
    for (const sql of [
      'SELECT version()',
      'SELECT timeZone()',
      'SELECT displayName(), version(), revision(), timezone()',
      'SHOW DATABASES',
      'SELECT name FROM system.databases',
      "SELECT name FROM system.tables WHERE database = 'default'",
      "SELECT database, table, name, type FROM system.columns WHERE database = 'default' LIMIT 100",
      'DESC TABLE `default`.`t`',
      "SELECT name, value, changed, description, type FROM system.settings WHERE name = 'readonly'",
      'SELECT 1 FORMAT JSON',
    ]) {
      for (const format of ['JSON', 'JSONCompact', 'Native', 'RowBinaryWithNamesAndTypes']) {
        const told = await ask(`/?default_format=${format}&max_execution_time=60&enable_http_compression=1`, {
          body: sql,
          headers,
        });
        expect([sql, format, told.status, told.status === 200 ? '' : told.text]).toEqual([
          sql,
          format,
          200,
          '',
        ]);
        expect(told.bytes.length).toBeGreaterThan(0);
      }
    }
  });
});

describe('limits', () => {
  it('listens on loopback only', async () => {
    for (const host of ['0.0.0.0', '[::]', '10.0.0.1', 'example.org']) {
      const { exitCode, stderr } = await runHere(
        'engine',
        '--data',
        join(folder.path, 'x'),
        '--listen',
        `${host}:0`,
      );
      expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/^strata: config_invalid: .*loopback/)]);
    }
  });

  it('bounds what waits, what an insert brings and how long the owner’s query runs', async () => {
    const small = await openEngine({
      folder: join(folder.path, 'small'),
      listen: { host: '127.0.0.1', port: 0 },
      passwords: { owner: 'password-of-owner', reader: undefined },
      limits: { reads: 1, readerReads: 1, writes: 1, waiting: 0 },
      deadlineMs: { owner: 1_500, reader: 1_000 },
      maxInsertBytes: 100,
      reportError: () => undefined,
    });
    try {
      const post = async (sql: string) => {
        const response = await fetch(`${small.url}/?user=strata&password=password-of-owner`, {
          method: 'POST',
          body: sql,
        });
        await response.arrayBuffer();
        return [response.status, response.headers.get('x-clickhouse-exception-code')];
      };
      const long = post('SELECT sum(sipHash64(number)) FROM numbers(100000000000000)');
      let second = await post('SELECT 1');
      while (second[0] === 200) second = await post('SELECT 1');
      expect(second).toEqual([503, '202']);
      expect(await long).toEqual([408, '159']);
      expect(await post('SELECT 1')).toEqual([200, null]);
      expect(await post('CREATE TABLE t (a String) ENGINE = Memory')).toEqual([200, null]);
      expect(await post(`INSERT INTO t FORMAT TSV\n${'x'.repeat(200)}`)).toEqual([413, '161']);
      expect(await post("SELECT * FROM t WHERE a = '' LIMIT 1")).toEqual([200, null]);
      const reader = await fetch(`${small.url}/?user=reader&password=`, { method: 'POST', body: 'SELECT 1' });
      expect(reader.status).toBe(403);
    } finally {
      await small.close();
    }
  });
});
