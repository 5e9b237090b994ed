import { describe, expect, it } from 'vitest';
import {
  checkOwnerStatement,
  checkReaderDatabase,
  checkReaderStatement,
} from '../../src/engine/reader-policy.ts';

const ENGINE = { refusedFunctions: new Set(['file', 'fqdn']), foreignDatabases: new Set(['other']) };

/** Statements as the engine prints them. test/engine/reader.process.test.ts asks the engine itself. */
describe('a reader’s statement', () => {
  it.each([
    'SELECT a, count() FROM t WHERE (a IN (1, 2)) AND (b NOT IN (SELECT c FROM u)) GROUP BY a HAVING (count() > 1) ORDER BY a ASC LIMIT 1',
    'WITH x AS (SELECT 1 AS n) SELECT n FROM x AS y INNER JOIN (SELECT 2 AS n) AS z USING (n)',
    'SELECT sumIf(a, b), uniqExactState(a), quantileExact(0.99)(a), sumMapMerge(s), argMaxOrNullIf(a, b, c) FROM t',
    "SELECT * EXCEPT (a) REPLACE (lower(b) AS b), * APPLY toString, COLUMNS('x') APPLY (x -> length(x)) FROM t",
    'SELECT row_number() OVER (PARTITION BY a ORDER BY b ASC ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t WINDOW w AS (ORDER BY a)',
    "SELECT a FROM default.t AS file WHERE (file.url = 1) AND (t.file = 1) AND (path = 'file(x)')",
    "SELECT {a:Array(Nullable(UInt8))}, [1, 2], (1, 2), tuple(1).1, map('a', 1)['a']",
    'SELECT 1 UNION ALL (SELECT 2 EXCEPT (SELECT 3))',
    'SELECT apply AS settings FROM t ORDER BY apply ASC',
    'SELECT number FROM numbers(3) SETTINGS max_threads = 1, output_format_json_quote_64bit_integers = 0',
    'SELECT name FROM system.tables',
    'DESCRIBE TABLE (SELECT 1)',
    'EXPLAIN PLAN actions = 1 SELECT 1',
    'SHOW CREATE TABLE t',
    "SHOW SETTINGS LIKE 'max%'",
    'EXISTS TABLE default.t',
  ])('may be %s', (sql) => {
    expect(() => checkReaderStatement(sql, ENGINE)).not.toThrow();
  });

  it.each([
    ["SELECT file('x')", 'the function file'],
    ["SELECT `file`('x')", 'the function file'],
    ["SELECT FILE ('x')", 'the function FILE'],
    ['SELECT aFunctionOfTomorrow(1)', 'the function aFunctionOfTomorrow'],
    ["SELECT fileIf('x', 1)", 'the function fileIf'],
    ["SELECT arrayMap(file, ['x'])", 'the function file'],
    ["SELECT arrayMap(`FQDN`, ['x'])", 'the function FQDN'],
    ['SELECT * APPLY file FROM t', 'the function file'],
    ['SELECT * EXCEPT a APPLY file FROM t', 'the function file'],
    ['SELECT * APPLY(x -> file(x)) FROM t', 'the function file'],
    ['SELECT * REPLACE (file(a) AS a) FROM t', 'the function file'],
    ["SELECT 1 ORDER BY 1 ASC WITH FILL INTERPOLATE (`a` AS file('x'))", 'the function file'],
    ["WITH (SELECT file('x')) AS y SELECT y", 'the function file'],
    ["SELECT 1 IN (SELECT * FROM url('http://x'))", 'the function url'],
    ["SELECT * FROM view(SELECT * FROM view(SELECT * FROM s3('x')))", 'the function s3'],
    ["DESCRIBE TABLE remote('x', system, one)", 'the function remote'],
    ["SELECT * FROM executable('x', TSV, 'a String', (SELECT 1))", 'the function executable'],
    ["SELECT * FROM input('a String')", 'the function input'],
    ["SELECT dictGet('d', 'a', 1)", 'the function dictGet'],
    ['SELECT sleepEachRow(3) FROM numbers(10)', 'the function sleepEachRow'],
    ["SELECT 1 SETTINGS format_schema = 'x'", 'the setting format_schema'],
    ['SELECT (SELECT 1 SETTINGS max_threads = 1, max_memory_usage = 0)', 'the setting max_memory_usage'],
    ["SELECT 1 INTO OUTFILE 'x'", 'INTO OUTFILE'],
    ['SELECT 1 PARALLEL WITH SELECT 2', 'INSERT and PARALLEL WITH'],
    ['WITH 1 AS x INSERT INTO t SELECT x', 'INSERT and PARALLEL WITH'],
    ['SELECT 1; SELECT 2', 'more than one statement'],
    ['SELECT * FROM cursor_keys', 'the table cursor_keys'],
    ['SELECT 1 IN other.t', 'the database other'],
    ['SELECT * FROM other.t AS default', 'the database other'],
    ['SELECT * FROM system.processes', 'the table system.processes'],
    ['SELECT * FROM `system`.`query_log`', 'the table system.query_log'],
    ['SELECT * FROM {t:Identifier}', 'parameters of the type Identifier'],
    ['SELECT * FROM `/etc/passwd`', 'a name with a slash'],
    ['SHOW CREATE USER default', 'SHOW CREATE statements'],
    ['SHOW SETTINGS PROFILES', 'SHOW SETTINGS statements'],
    ['SHOW PROCESSLIST', 'SHOW PROCESSLIST statements'],
    ["EXPLAIN TABLE OVERRIDE mysql('x') COLUMNS (a UInt8)", 'EXPLAIN TABLE statements'],
    ['SET ROLE ALL', 'SET statements'],
    ['SYSTEM SHUTDOWN', 'SYSTEM statements'],
    ['', ' statements'],
  ])('%s is refused for %s', (sql, what) => {
    expect(() => checkReaderStatement(sql, ENGINE)).toThrow(what);
  });

  it('has the store as its database, or the standard’s description of it', () => {
    expect(() => checkReaderDatabase('default')).not.toThrow();
    expect(() => checkReaderDatabase('information_schema')).not.toThrow();
    for (const name of ['system', 'SYSTEM', 'other', ''])
      expect(() => checkReaderDatabase(name)).toThrow(/database/);
  });
});

describe('the owner', () => {
  it('calls the function file in no way, and may have a column of that name', () => {
    for (const sql of [
      "SELECT file('x')",
      "SELECT arrayMap(file, ['x'])",
      "SELECT arrayMap(`file`, ['x'])",
      'SELECT * APPLY file FROM t',
      "SELECT arrayMap(`fi\\x6ce`, ['x'])",
      "SELECT 1 AS file, file('x')",
    ]) {
      expect(() => checkOwnerStatement(sql), sql).toThrow('the function file');
    }
    const named = "SELECT arrayMap({f:Identifier}, ['x'])";
    expect(() => checkOwnerStatement(named, new Map([['f', 'file']]))).toThrow('the function file');
    expect(() => checkOwnerStatement(named, new Map([['f', 'length']]))).not.toThrow();
    for (const sql of ['SELECT t.file FROM t', "SELECT 'file', 1 AS file", 'SELECT file.a FROM b AS file'])
      expect(() => checkOwnerStatement(sql), sql).not.toThrow();
  });
});
