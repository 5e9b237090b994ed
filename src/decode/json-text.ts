import { latin1ToUtf8, utf8ToLatin1 } from 'strata-kit/bytes';

/**
 * JSON strings as text, in latin1 (one char a byte of UTF-8), between their quotes. The canonical form escapes what
 * JSON.stringify escapes and nothing else, so that a node's and a proxy's way of escaping give the same columns.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the chars that JSON must escape
const MUST_ESCAPE = /["\\\x00-\x1f]/;

/** A quoted JSON string of latin1 text that is not escaped yet. */
export function quoteLatin1(text: string): string {
  return MUST_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/** Only escapes that JSON.stringify prints itself; a block's bloom has 256 of them. */
const NOTHING_TO_CHANGE = /^(?:[^\\]|\\(?:["\\bfnrt]|u00(?:0[0-7be-f]|1[0-9a-f])))*$/;

/** The canonical escaped form of a JSON string's inside that holds a backslash. */
export function canonicalEscapes(inside: string): string {
  if (NOTHING_TO_CHANGE.test(inside)) return inside;
  const utf8 = latin1ToUtf8(inside);
  if (utf8ToLatin1(utf8) !== inside) return inside; // broken UTF-8: kept byte for byte
  return utf8ToLatin1(JSON.stringify(JSON.parse(`"${utf8}"`)).slice(1, -1));
}

/** The latin1 text behind a canonical inside of a JSON string. */
export function unescapeCanonical(inside: string): string {
  return inside.includes('\\') ? (JSON.parse(`"${inside}"`) as string) : inside;
}
