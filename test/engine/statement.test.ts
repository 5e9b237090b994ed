import { describe, expect, it } from 'vitest';
import { tokens } from '../../src/engine/lexer.ts';
import { describeStatement, setsSetting, splitInsert } from '../../src/engine/statement.ts';

describe('words of SQL', () => {
  it('tell quotes, comments, heredocs and brackets apart', () => {
    const sql = "SELECT 'a''b\\'c', `x``y`, \"z\" -- ;'\n, $t$;'$t$ /* ' */ , f(1.5e3) # rest\n;";
    expect([...tokens(sql)].map(({ kind, text, depth }) => `${kind} ${text} ${depth}`)).toEqual([
      'word SELECT 0',
      "string 'a''b\\'c' 0",
      'sign , 0',
      'name x``y 0',
      'sign , 0',
      'name z 0',
      'sign , 0',
      "string $t$;'$t$ 0",
      'sign , 0',
      'word f 0',
      'sign ( 0',
      'number 1.5e3 1',
      'sign ) 0',
      'sign ; 0',
    ]);
  });

  it('end where the text ends, however it is broken', () => {
    for (const sql of ["'", '`', '$$', '/*', "'\\", '((', '))', ''])
      expect([...tokens(sql)].length).toBeLessThan(3);
  });
});

describe('a comment that is not closed', () => {
  it('goes on to the end of the text, which is walked once', () => {
    expect([...tokens(`SELECT 1 ${'/* '.repeat(1_000)}`)].map(({ text }) => text)).toEqual(['SELECT', '1']);
    expect([...tokens('/* a */ -- b\n#! c\n # d\n/**/x#y--')].map(({ text }) => text)).toEqual([
      'x',
      '#',
      'y',
    ]);
  });
});

describe('statements', () => {
  it('are read or write, alone or not, with their format', () => {
    const of = (sql: string) => {
      const { verb, isRead, isStateless, hasSecond, format } = describeStatement(sql);
      return { verb, isRead, isStateless, hasSecond, format };
    };
    const read = { isRead: true, isStateless: true, hasSecond: false, format: undefined };
    expect(of('select 1')).toEqual({ ...read, verb: 'SELECT' });
    expect(of('/* x */ (SELECT 1);')).toEqual({ ...read, verb: '(' });
    expect(of("SELECT 'x FORMAT y' FORMAT JSON SETTINGS a = 1")).toEqual({
      ...read,
      verb: 'SELECT',
      format: 'JSON',
    });
    expect(of('SELECT format(1) FROM (SELECT 1)')).toEqual({ ...read, verb: 'SELECT' });
    expect(of('SELECT 1; -- end')).toEqual({ ...read, verb: 'SELECT' });
    expect(of('SELECT 1; SET a = 1')).toEqual({ ...read, verb: 'SELECT', hasSecond: true });
    expect(of('WITH 1 AS x INSERT INTO t SELECT x')).toEqual({ ...read, verb: 'WITH', isRead: false });
    expect(of('SET a = 1')).toEqual({ ...read, verb: 'SET', isRead: false, isStateless: false });
    expect(of('')).toEqual({ ...read, verb: '', isRead: false, isStateless: false });
  });

  it('have a FORMAT clause, or a column or table of that name', () => {
    const of = (sql: string) => describeStatement(sql).format;
    for (const sql of [
      'SELECT format FROM (SELECT 1 AS format)',
      'SELECT 1 AS format FROM system.one',
      'SELECT number FROM numbers(2) ORDER BY number AS format DESC',
      'SELECT number AS format FROM numbers(2) ORDER BY 2 * format DESC',
      'SELECT 1 AS a, format x',
      'SELECT 1 FROM t WHERE a = format SETTINGS max_threads = 1',
      'SELECT 1 FROM format FINAL',
      'SELECT CASE WHEN 1 THEN format END',
      'SELECT 1 AS format INTO OUTFILE x',
      'SELECT 1 AS format; SELECT 2',
      'SELECT format',
      'SELECT format x',
      'SELECT 1 FROM format t SETTINGS a = 1',
    ]) {
      expect([sql, of(sql)]).toEqual([sql, undefined]);
    }
    for (const sql of [
      'SELECT 1 FORMAT JSON',
      'SELECT 1 AS format FORMAT `JSON`',
      'SELECT * FORMAT JSON;',
      'SELECT count() format JSON -- end',
      "SELECT 'a' FORMAT JSON INTO OUTFILE 'x'",
      'SELECT format FROM t ORDER BY format DESC FORMAT JSON SETTINGS a = 1',
      'DESC format FORMAT JSON',
    ]) {
      expect([sql, of(sql)]).toEqual([sql, 'JSON']);
    }
  });

  it('set a setting, or speak of it', () => {
    const sets = (sql: string) => setsSetting(sql, 'log_comment');
    for (const sql of [
      "SELECT 1 SETTINGS log_comment = 'x'",
      'SELECT 1 FORMAT TSV settings a = 1, b = (2), `log_comment`=$$x$$',
      "SELECT (SELECT 1 SETTINGS max_threads = 1, log_comment = '') AS a",
    ]) {
      expect([sql, sets(sql)]).toEqual([sql, true]);
    }
    for (const sql of [
      'SELECT 1',
      "SELECT a, log_comment = 'x' FROM system.query_log",
      "SELECT 1 SETTINGS a = 'log_comment', b = 1",
      "SELECT (SELECT 1 SETTINGS a = 1), log_comment = 'x'",
      "SELECT 1 SETTINGS a = 1 UNION ALL SELECT 2, log_comment = 'x'",
    ]) {
      expect([sql, sets(sql)]).toEqual([sql, false]);
    }
  });

  it('have a place for INTO OUTFILE', () => {
    const cut = (sql: string) => sql.slice(0, describeStatement(sql).outputAt);
    expect(cut('SELECT 1 FORMAT JSON')).toBe('SELECT 1 ');
    expect(cut('SELECT 1;')).toBe('SELECT 1');
    expect(cut('SELECT 1 SETTINGS a = 1')).toBe('SELECT 1 SETTINGS a = 1');
  });
});

describe('inserts with data', () => {
  it('are cut where the data begins, whatever it holds', () => {
    const cut = (sql: string) => {
      const insert = splitInsert(sql);
      return insert === undefined
        ? undefined
        : [insert.target, insert.settings, insert.format, sql.slice(insert.dataAt)];
    };
    expect(cut("INSERT INTO t (a, format) FORMAT TSV\n'x\n")).toEqual([
      'INSERT INTO t (a, format)',
      '',
      'TSV',
      "'x\n",
    ]);
    expect(cut('insert into `d`.`values` settings async_insert=0 format Native \r\n\n1')).toEqual([
      'insert into `d`.`values`',
      'settings async_insert=0',
      'Native',
      '\n1',
    ]);
    expect(cut("INSERT INTO t VALUES (1, 'SELECT')")).toEqual([
      'INSERT INTO t',
      '',
      'Values',
      " (1, 'SELECT')",
    ]);
    expect(cut('INSERT INTO format FORMAT CSV 1')).toEqual(['INSERT INTO format', '', 'CSV', '1']);
    expect(cut('INSERT INTO t FORMAT Values (1)')).toEqual(['INSERT INTO t', '', 'Values', ' (1)']);
    expect(cut('INSERT INTO t SELECT 1 FORMAT CSV')).toBeUndefined();
    expect(cut("INSERT INTO t FROM INFILE 'x' FORMAT CSV")).toBeUndefined();
    expect(cut('SELECT 1 FORMAT CSV')).toBeUndefined();
    expect(cut('INSERT INTO t')).toBeUndefined();
  });
});
