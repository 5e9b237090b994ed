/**
 * Where the values of a JSON text stand, without building them. String-aware, so it may be pointed at any text;
 * it checks no more than nesting, which is what splitting needs: whoever reads a value parses it.
 */

/** Start (included) and end (excluded) of a value. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The text ends or deviates from JSON at `at`. */
export class JsonSpanError extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(`${message} at character ${at}`);
    this.name = 'JsonSpanError';
    this.at = at;
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Whether a text is JSON throughout, which costs three times as much as finding where its values end. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export function skipBlanks(text: string, at: number): number {
  let i = at;
  for (; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char !== 0x20 && char !== 0x0a && char !== 0x0d && char !== 0x09) break;
  }
  return i;
}

/** The index just after the value that starts at `at`. Errors: JsonSpanError. */
export function endOfValue(text: string, at: number): number {
  const char = text.charCodeAt(at);
  if (char === QUOTE) return endOfString(text, at);
  if (char === OPEN_BRACE || char === OPEN_BRACKET) return endOfNested(text, at);
  const primitive = /(?:-?\d[\d.eE+-]*|true|false|null)/y;
  primitive.lastIndex = at;
  if (!primitive.test(text))
    throw new JsonSpanError(at >= text.length ? 'the text ends early' : 'no value', at);
  return primitive.lastIndex;
}

/**
 * Walks the members of the object that starts at `at` and returns the index just after it.
 * `visit` gets the key and the value's span.
 */
export function walkObject(text: string, at: number, visit: (key: string, value: Span) => void): number {
  let i = skipBlanks(text, expectChar(text, skipBlanks(text, at), OPEN_BRACE));
  if (text.charCodeAt(i) === CLOSE_BRACE) return i + 1;
  for (;;) {
    const { key, start } = readKey(text, i);
    const end = endOfValue(text, start);
    visit(key, { start, end });
    i = skipBlanks(text, end);
    if (text.charCodeAt(i) === CLOSE_BRACE) return i + 1;
    i = expectChar(text, i, COMMA);
  }
}

/** Where the value of the first member `key` begins, or undefined; what stands behind it is not looked at. */
export function findMember(text: string, at: number, key: string): number | undefined {
  let i = skipBlanks(text, expectChar(text, skipBlanks(text, at), OPEN_BRACE));
  while (text.charCodeAt(i) !== CLOSE_BRACE) {
    const member = readKey(text, i);
    if (member.key === key) return member.start;
    i = skipBlanks(text, endOfValue(text, member.start));
    if (text.charCodeAt(i) !== CLOSE_BRACE) i = expectChar(text, i, COMMA);
  }
  return undefined;
}

/**
 * Walks the elements of the array that starts at `at` and returns the index just after it. `readElement` gets
 * an element's start and returns its end.
 */
export function walkArray(text: string, at: number, readElement: (start: number) => number): number {
  let i = skipBlanks(text, expectChar(text, skipBlanks(text, at), OPEN_BRACKET));
  if (text.charCodeAt(i) === CLOSE_BRACKET) return i + 1;
  for (;;) {
    i = skipBlanks(text, readElement(skipBlanks(text, i)));
    if (text.charCodeAt(i) === CLOSE_BRACKET) return i + 1;
    i = expectChar(text, i, COMMA);
  }
}

function readKey(text: string, at: number): { readonly key: string; readonly start: number } {
  const keyStart = skipBlanks(text, at);
  if (text.charCodeAt(keyStart) !== QUOTE) throw new JsonSpanError('no key', keyStart);
  const keyEnd = endOfString(text, keyStart);
  const start = skipBlanks(text, expectChar(text, skipBlanks(text, keyEnd), COLON));
  return { key: unquote(text.slice(keyStart, keyEnd)), start };
}

function endOfString(text: string, at: number): number {
  let close = at;
  for (;;) {
    close = text.indexOf('"', close + 1);
    if (close < 0) throw new JsonSpanError('the text ends inside a string', text.length);
    let before = close - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    if ((close - before) % 2 === 1) return close + 1;
  }
}

function endOfNested(text: string, at: number): number {
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === QUOTE) {
      i = endOfString(text, i) - 1;
    } else if (char === OPEN_BRACE || char === OPEN_BRACKET) {
      depth++;
    } else if (char === CLOSE_BRACE || char === CLOSE_BRACKET) {
      depth--;
      if (depth === 0) return i + 1;
    }
  }
  throw new JsonSpanError('the text ends early', text.length);
}

function expectChar(text: string, at: number, char: number): number {
  if (text.charCodeAt(at) === char) return at + 1;
  if (at >= text.length) throw new JsonSpanError('the text ends early', at);
  throw new JsonSpanError(`no ${JSON.stringify(String.fromCharCode(char))}`, at);
}

function unquote(quoted: string): string {
  return quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
}
