/** Byte and text encodings. Text called latin1 carries one byte a char, whatever encoding the bytes are in. */

const HEX_LOWER: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, '0'),
);

export function bytesToHex(bytes: Uint8Array): string {
  if (bytes.length > 64) return asBuffer(bytes).toString('hex');
  let hex = '';
  for (let i = 0; i < bytes.length; i++) hex += HEX_LOWER[bytes[i] as number];
  return hex;
}

/** What a hex digit is worth by its char, 255 for any other byte. */
const HEX_VALUE = new Uint8Array(256).fill(0xff);
for (let value = 0; value < 16; value++) {
  HEX_VALUE[value.toString(16).charCodeAt(0)] = value;
  HEX_VALUE[value.toString(16).toUpperCase().charCodeAt(0)] = value;
}

/** The bytes that the ASCII hex at from..to spells, with or without 0x; undefined unless they are `length` bytes. */
export function hexTextToBytes(
  text: Uint8Array,
  from: number,
  to: number,
  length: number,
): Uint8Array | undefined {
  const start = text[from] === 48 && text[from + 1] === 120 ? from + 2 : from;
  if (to - start !== length * 2) return undefined;
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i++) {
    const high = HEX_VALUE[text[start + 2 * i] as number] as number;
    const low = HEX_VALUE[text[start + 2 * i + 1] as number] as number;
    if ((high | low) > 15) return undefined;
    bytes[i] = (high << 4) | low;
  }
  return bytes;
}

/** Undefined unless `text` is hex of even length, in any case, without a prefix. */
export function hexToBytes(text: string): Uint8Array | undefined {
  // Buffer stops at the first pair that is no hex
  const bytes = Buffer.from(text, 'hex');
  return bytes.length * 2 === text.length ? bytes : undefined;
}

export function bytesToBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
}

export function base64ToBytes(text: string): Uint8Array {
  return Buffer.from(text, 'base64');
}

/** Lower-case hex; undefined where the text is no base64 with its padding. */
export function base64ToHex(text: string): string | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes.toString('hex') : undefined;
}

export function utf8ToBytes(text: string): Uint8Array {
  return Buffer.from(text, 'utf8');
}

export function bytesToUtf8(bytes: Uint8Array): string {
  return asBuffer(bytes).toString('utf8');
}

export function bytesToLatin1(bytes: Uint8Array): string {
  return asBuffer(bytes).toString('latin1');
}

export function latin1ToBytes(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

/** The UTF-8 text behind a latin1 view of its bytes; ASCII passes untouched. */
export function latin1ToUtf8(text: string): string {
  return isAscii(text) ? text : Buffer.from(text, 'latin1').toString('utf8');
}

/** The latin1 view of a text's UTF-8 bytes; ASCII passes untouched. */
export function utf8ToLatin1(text: string): string {
  return isAscii(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}

function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the whole ASCII range is meant
  return !/[^\x00-\x7f]/.test(text);
}

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}

/** By a loop, which is faster than a call into the engine for the few bytes of an address or a hash. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** A Buffer over the same memory. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
