import { bytesToBase64 } from '../bytes.ts';

/** JSON as Go's encoder and CometBFT's own print it. */

// what stands for itself between quotes is most of all text
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const NEEDS_CARE = /[\0-\x1f"\\<>&\u2028\u2029\ud800-\udfff\ufffd]/;
const LEFT_BY_JSON = /[<>&\u2028\u2029\ufffd]/g;

/**
 * A text between quotes. Go escapes <, >, & and two line ends more than JavaScript does, and prints broken UTF-8, which
 * a text here holds as U+FFFD, as an escape.
 */
export function quote(text: string): string {
  if (isPlain(text)) return `"${text}"`;
  return escapeGo(JSON.stringify(text.replace(/\p{Surrogate}/gu, '\ufffd')));
}

/** Whether a text stands for itself between quotes. */
export function isPlain(text: string): boolean {
  return !NEEDS_CARE.test(text);
}

/** Plain values in the order of their keys. */
export function goJson(value: unknown): string {
  return escapeGo(JSON.stringify(value));
}

function escapeGo(json: string): string {
  return json.replace(LEFT_BY_JSON, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Bytes that protobuf leaves out when empty are null. */
export function base64OrNull(bytes: Uint8Array): string {
  return bytes.length === 0 ? 'null' : `"${bytesToBase64(bytes)}"`;
}

/** What Go says of a text that is no JSON: at a cut end exactly, else by its first character. */
export function goSyntaxError(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '' || /^[[{"]/.test(trimmed)) return 'unexpected end of JSON input';
  const first = trimmed[0] as string;
  const shown = first === "'" ? `\\'` : first === '\\' ? '\\\\' : first;
  return `invalid character '${shown}' looking for beginning of value`;
}
