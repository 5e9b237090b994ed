/**
 * The words of ClickHouse's SQL, as far as a front has to tell statements apart: what is quoted, what is a comment and
 * how deep the brackets are. The rules are those of ClickHouse's own lexer; it never judges whether the SQL is right.
 */

export interface Token {
  /** `name` is an identifier in backticks or double quotes, `word` a bare one or a keyword. */
  readonly kind: 'word' | 'name' | 'string' | 'number' | 'sign';
  /** As written; of `name` what stands between the quotes. */
  readonly text: string;
  /** Offsets into the text; `end` is past the token. */
  readonly start: number;
  readonly end: number;
  /** Brackets that are open around it. */
  readonly depth: number;
}

const WORD = /[A-Za-z_$\u0080-\uffff][A-Za-z0-9_$\u0080-\uffff]*/y;
const NUMBER = /\d[\w.]*/y;
const SPACE = /\s+/y;
const HEREDOC = /\$(\w*)\$/y;

/** Lazily, so that a statement's data after its words is never walked. */
export function* tokens(sql: string): Generator<Token> {
  let at = 0;
  let depth = 0;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(sql)?.[0];
  };
  for (;;) {
    at = afterBlanks(sql, at);
    const sign = sql[at];
    if (sign === undefined) return;
    const start = at;
    const heredoc = match(HEREDOC);
    if (heredoc !== undefined) {
      const close = sql.indexOf(heredoc, at + heredoc.length);
      at = close < 0 ? sql.length : close + heredoc.length;
      yield { kind: 'string', text: sql.slice(start, at), start, end: at, depth };
      continue;
    }
    if (sign === "'" || sign === '`' || sign === '"') {
      at = endOfQuoted(sql, at);
      const text = sign === "'" ? sql.slice(start, at) : sql.slice(start + 1, at - 1);
      yield { kind: sign === "'" ? 'string' : 'name', text, start, end: at, depth };
      continue;
    }
    const word = match(WORD);
    const number = word === undefined ? match(NUMBER) : undefined;
    const text = word ?? number ?? sign;
    at += text.length;
    if (sign === ')' || sign === ']' || sign === '}') depth--;
    const kind = word !== undefined ? 'word' : number !== undefined ? 'number' : 'sign';
    yield { kind, text, start, end: at, depth };
    if (sign === '(' || sign === '[' || sign === '{') depth++;
  }
}

/** Past blanks and comments, in one walk: a comment that is not closed goes on to the end. */
function afterBlanks(sql: string, start: number): number {
  let at = start;
  for (;;) {
    SPACE.lastIndex = at;
    const two = sql.slice(at, at + 2);
    let end = at;
    if (two === '--' || two === '# ' || two === '#!') end = sql.indexOf('\n', at);
    else if (two === '/*') {
      const close = sql.indexOf('*/', at + 2);
      end = close < 0 ? -1 : close + 2;
    } else if (SPACE.test(sql)) end = SPACE.lastIndex;
    if (end < 0) return sql.length;
    if (end === at) return at;
    at = end;
  }
}

/** Past the closing quote: a backslash escapes the next character, a doubled quote is one. */
function endOfQuoted(sql: string, start: number): number {
  const quote = sql[start];
  for (let at = start + 1; at < sql.length; at++) {
    if (sql[at] === '\\') at++;
    else if (sql[at] === quote) {
      if (sql[at + 1] !== quote) return at + 1;
      at++;
    }
  }
  return sql.length;
}

/** Whether a token is this keyword, in any case. */
export function isKeyword(token: Token | undefined, keyword: string): boolean {
  return token?.kind === 'word' && token.text.toUpperCase() === keyword;
}
