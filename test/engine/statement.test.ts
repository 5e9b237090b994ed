import { describe, expect, it } from 'vitest';
import { tokens } from '../../src/engine/lexer.ts';
import { describeStatement, splitInsert } from '../../src/engine/statement.ts';

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
