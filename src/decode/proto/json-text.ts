import { isUtf8 } from 'node:buffer';
import { latin1ToBytes } from 'strata-kit/bytes';
import { malformed, type Wire } from './wire.ts';

/** JSON text as a node's REST prints it (Go's encoding/json inside gogoproto's jsonpb), in latin1. */

/** Bytes that cannot be copied into a JSON string unseen: the escaped ones, and all that is not ASCII. */
const NEEDS_CARE = new Uint8Array(256);
for (let byte = 0; byte < 256; byte++) {
  NEEDS_CARE[byte] = byte < 0x20 || byte >= 0x80 || '"\\<>&'.includes(String.fromCharCode(byte)) ? 1 : 0;
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\xe2\x80\xa8': '\\u2028',
  '\xe2\x80\xa9': '\\u2029',
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what JSON escapes
const ESCAPED = /[\x00-\x1f"\\<>&]|\xe2\x80[\xa8\xa9]/g;

// biome-ignore lint/suspicious/noControlCharactersInRegex: the whole ASCII range is meant
const NOT_ASCII = /[^\x00-\x7f]/;

/** The forms of well-formed UTF-8 beyond ASCII (Unicode, table 3-7), one byte a char. */
const UTF8_OR_BYTE =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[\x80-\xff]/g;

function escapeOne(found: string): string {
  return SHORT_ESCAPES[found] ?? `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A JSON string of latin1 text. Each byte that is no UTF-8 becomes \ufffd, as in Go. */
export function quote(text: string): string {
  const escaped = text.replace(ESCAPED, escapeOne);
  if (!NOT_ASCII.test(text) || isUtf8(latin1ToBytes(text))) return `"${escaped}"`;
  return `"${escaped.replace(UTF8_OR_BYTE, (found) => (found.length > 1 ? found : '\\ufffd'))}"`;
}

/** A JSON string of the bytes from the cursor to valueEnd. */
export function quoteRange(wire: Wire, valueEnd: number): string {
  const { bytes, pos } = wire;
  wire.pos = valueEnd;
  for (let i = pos; i < valueEnd; i++) {
    if (NEEDS_CARE[bytes[i] as number] === 1) return quote(wire.text(pos, valueEnd));
  }
  return `"${wire.text(pos, valueEnd)}"`;
}

/** Decimal digits of an unsigned 64-bit integer given in halves. */
export function uint64Digits(lo: number, hi: number): string {
  if (hi === 0) return String(lo >>> 0);
  const high = hi >>> 0;
  if (high < 0x20_0000) return String(high * 0x1_0000_0000 + (lo >>> 0));
  return ((BigInt(high) << 32n) | BigInt(lo >>> 0)).toString();
}

/** Decimal digits of a two's complement 64-bit integer given in halves. */
export function int64Digits(lo: number, hi: number): string {
  if (hi >= 0) return uint64Digits(lo, hi);
  return `-${uint64Digits(-lo | 0, lo === 0 ? -hi : ~hi)}`;
}

/** JSON of a double; Go and JavaScript write finite numbers alike, but for −0. */
export function doubleText(value: number): string {
  if (!Number.isFinite(value)) return `"${value}"`;
  return Object.is(value, -0) ? '-0' : String(value);
}

/** JSON of a float: the fewest digits that give the same 32 bits. */
export function floatText(value: number): string {
  if (!Number.isFinite(value)) return doubleText(value);
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return doubleText(short);
  }
  return doubleText(Number(value.toPrecision(9)));
}

/** Digits of a big integer as Go's big.Int reads its text (prefixes 0x, 0b, 0o and 0 included). */
function bigIntegerDigits(text: string): string {
  if (/^(?:-?[1-9]\d*|0)$/.test(text)) return text;
  const match = /^([+-]?)(0[xX][\da-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9]\d*)$/.exec(text);
  if (match === null) throw malformed('integer text');
  const magnitude = BigInt((match[2] as string).replace(/^0(?=\d)/, '0o'));
  return (match[1] === '-' ? -magnitude : magnitude).toString();
}

/** JSON of a math.Int's wire text; an empty one is zero. */
export function intText(text: string): string {
  return text === '' ? '"0"' : `"${bigIntegerDigits(text)}"`;
}

/** JSON of a LegacyDec's wire text, the integer scaled by 10^18. An empty one prints "0" without a point, as in Go. */
export function decText(text: string): string {
  if (text === '') return '"0"';
  const digits = bigIntegerDigits(text);
  const negative = digits.startsWith('-');
  const padded = (negative ? digits.slice(1) : digits).padStart(19, '0');
  return `"${negative ? '-' : ''}${padded.slice(0, -18)}.${padded.slice(-18)}"`;
}
