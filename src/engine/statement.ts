import { isKeyword, type Token, tokens } from './lexer.ts';

/** What kind of statement a request holds, and where an insert's data begins. */

/** Statements that return rows and change nothing. */
const READS = new Set(['SELECT', 'WITH', 'FROM', 'SHOW', 'DESCRIBE', 'DESC', 'EXISTS', 'EXPLAIN', '(']);
/** Statements that leave nothing behind in the session that ran them. */
const STATELESS = new Set([...READS, 'INSERT', 'DELETE', 'TRUNCATE', 'ALTER', 'DROP', 'OPTIMIZE', 'KILL']);

/** Words that an expression or a table follows, so that `format` behind them is a name. */
const BEFORE_NAME = new Set(
  'SELECT DISTINCT AS BY WHERE PREWHERE HAVING ON USING AND OR NOT FROM JOIN IN LIKE ILIKE BETWEEN WHEN THEN ELSE CASE WITH'.split(
    ' ',
  ),
);
/** Words that may follow a column or table named `format`, with nothing behind them. */
const AFTER_NAME = new Set(['ASC', 'DESC', 'FINAL', 'END']);

export interface Statement {
  /** First word in upper case; empty for no statement. */
  readonly verb: string;
  readonly isRead: boolean;
  /** May run in a session that others use afterwards. */
  readonly isStateless: boolean;
  /** A second statement follows after a semicolon. */
  readonly hasSecond: boolean;
  /** Of the FORMAT clause. */
  readonly format: string | undefined;
  /** Where INTO OUTFILE would go: before the FORMAT clause, or at the end. */
  readonly outputAt: number;
}

export function describeStatement(sql: string): Statement {
  let verb = '';
  let format: string | undefined;
  let outputAt = sql.length;
  let previous: Token | undefined;
  let beforePrevious: Token | undefined;
  /** FORMAT and a name: a clause if it ends there. */
  let clause: { readonly start: number; readonly format: string } | undefined;
  const take = () => {
    if (clause === undefined) return;
    format = clause.format;
    outputAt = clause.start;
  };
  let closed = false;
  let hasSecond = false;
  let isWrite = false;
  for (const token of tokens(sql)) {
    if (closed) hasSecond = true;
    if (verb === '' && token.text !== ';') verb = token.text.toUpperCase();
    if (token.depth === 0) {
      if (token.text === ';' || isKeyword(token, 'SETTINGS') || isKeyword(token, 'INTO')) take();
      clause = undefined;
      if (token.text === ';') {
        if (!closed && format === undefined) outputAt = token.start;
        closed = true;
      }
      if (isKeyword(token, 'INSERT')) isWrite = true;
      if (previous !== undefined && isFormatWord(previous, beforePrevious) && isFormatName(token)) {
        clause = { start: previous.start, format: token.text };
      }
    }
    beforePrevious = previous;
    previous = token;
  }
  take();
  const isRead = READS.has(verb) && !isWrite;
  return { verb, isRead, isStateless: STATELESS.has(verb), hasSecond, format, outputAt };
}

function isFormatWord(token: Token, before: Token | undefined): boolean {
  if (!isKeyword(token, 'FORMAT') || before === undefined) return false;
  if (before.kind === 'word') return !BEFORE_NAME.has(before.text.toUpperCase());
  return before.kind !== 'sign' || ')]}*'.includes(before.text);
}

function isFormatName({ kind, text }: Token): boolean {
  return kind === 'name' || (kind === 'word' && !AFTER_NAME.has(text.toUpperCase()));
}

/** Whether a SETTINGS clause gives this setting a value, at any depth. */
export function setsSetting(sql: string, name: string): boolean {
  if (!sql.includes(name)) return false;
  let listDepth: number | undefined;
  let named: Token | undefined;
  let atName = false;
  for (const token of tokens(sql)) {
    if (named !== undefined && token.text === '=') return true;
    named = undefined;
    if (listDepth !== undefined && (token.depth < listDepth || isKeyword(token, 'SELECT'))) {
      listDepth = undefined;
    }
    if (isKeyword(token, 'SETTINGS')) {
      listDepth = token.depth;
      atName = true;
    } else if (token.depth === listDepth) {
      if (atName && token.kind !== 'sign' && token.text === name) named = token;
      atName = token.text === ',';
    }
  }
  return false;
}

export interface DataInsert {
  /** INSERT INTO … with its table and columns, without SETTINGS and FORMAT. */
  readonly target: string;
  /** `SETTINGS …`, or empty. */
  readonly settings: string;
  readonly format: string;
  /** Where the data begins in the text. */
  readonly dataAt: number;
}

/**
 * An INSERT whose rows stand behind it: `INSERT INTO t (a) SETTINGS … FORMAT Native` or `… VALUES`. Undefined for every
 * other statement.
 */
export function splitInsert(sql: string): DataInsert | undefined {
  let count = 0;
  let settingsAt: number | undefined;
  let previous: Token | undefined;
  let formatAt: number | undefined;
  for (const token of tokens(sql)) {
    if (count++ === 0 && !isKeyword(token, 'INSERT')) return undefined;
    const word = token.depth === 0 && token.kind === 'word' ? token.text.toUpperCase() : '';
    // the table's own name may be any word
    const isNamed = previous?.text === '.' || /^(INTO|TABLE|FUNCTION)$/i.test(previous?.text ?? '');
    if (formatAt !== undefined && token.kind === 'word') {
      if (word === 'VALUES') return cut(sql, formatAt, settingsAt, 'Values', token.end);
      return cut(sql, formatAt, settingsAt, token.text, afterFormat(sql, token.end));
    }
    if (!isNamed) {
      if (word === 'SELECT' || word === 'WITH' || word === 'INFILE') return undefined;
      if (word === 'SETTINGS') settingsAt = token.start;
      if (word === 'VALUES') return cut(sql, token.start, settingsAt, 'Values', token.end);
      if (word === 'FORMAT') formatAt = token.start;
    }
    previous = token;
  }
  return undefined;
}

function cut(
  sql: string,
  end: number,
  settingsAt: number | undefined,
  format: string,
  dataAt: number,
): DataInsert {
  return {
    target: sql.slice(0, settingsAt ?? end).trim(),
    settings: settingsAt === undefined ? '' : sql.slice(settingsAt, end).trim(),
    format,
    dataAt,
  };
}

/** As ClickHouse's parser: blanks and at most one line end belong to the statement, all else is data. */
function afterFormat(sql: string, end: number): number {
  let at = end;
  if (sql[at] === ';') at++;
  while (sql[at] === ' ' || sql[at] === '\t' || sql[at] === '\f') at++;
  if (sql[at] === '\r') at++;
  if (sql[at] === '\n') at++;
  return at;
}
