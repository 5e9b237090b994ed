import { bech32 } from '@scure/base';
import { LRUCache } from 'lru-cache';
import { bytesToHex, equalBytes, hexToBytes } from './bytes.ts';
import { keccak256 } from './hash.ts';

/** Addresses: 20 bytes (accounts, contracts) or 32 (module-derived), as bech32 or, for 20 bytes, EIP-55 hex. */

const CACHE_ENTRIES = 20_000;
const encoded = new LRUCache<string, string>({ max: CACHE_ENTRIES });
const decoded = new LRUCache<string, { readonly hrp: string; readonly bytes: Uint8Array }>({
  max: CACHE_ENTRIES,
});
/** By the last bytes; a place holds the address that came by last. */
const CHECKSUM_PLACES = 16_384;
const checksummed: ({ readonly bytes: Uint8Array; readonly text: string } | undefined)[] = new Array(
  CHECKSUM_PLACES,
).fill(undefined);

export function encodeBech32(hrp: string, bytes: Uint8Array): string {
  const key = `${hrp}1${bytesToHex(bytes)}`;
  const hit = encoded.get(key);
  if (hit !== undefined) return hit;
  const text = bech32.encode(hrp, bech32.toWords(bytes), 1023);
  encoded.set(key, text);
  return text;
}

/** Undefined when `text` is no bech32 or its checksum is wrong; mixed case is wrong by BIP 173. */
export function decodeBech32(text: string): { readonly hrp: string; readonly bytes: Uint8Array } | undefined {
  const hit = decoded.get(text);
  if (hit !== undefined) return hit;
  if (text.length > 1023 || text.lastIndexOf('1') < 1) return undefined;
  const parsed = bech32.decodeUnsafe(text, 1023);
  if (parsed === undefined) return undefined;
  const bytes = bech32.fromWordsUnsafe(parsed.words);
  if (!(bytes instanceof Uint8Array)) return undefined;
  const value = { hrp: parsed.prefix, bytes };
  decoded.set(text, value);
  return value;
}

/** EIP-55 mixed-case text of 20 bytes. */
export function toChecksumAddress(bytes: Uint8Array): string {
  const place = (((bytes[19] as number) << 8) | (bytes[18] as number)) & (CHECKSUM_PLACES - 1);
  const hit = checksummed[place];
  if (hit !== undefined && equalBytes(hit.bytes, bytes)) return hit.text;
  const lower = bytesToHex(bytes);
  const hash = bytesToHex(keccak256(Buffer.from(lower, 'latin1')));
  let text = '0x';
  for (let i = 0; i < lower.length; i++) {
    const char = lower[i] as string;
    text += hash.charCodeAt(i) >= 56 ? char.toUpperCase() : char;
  }
  checksummed[place] = { bytes: Uint8Array.from(bytes), text };
  return text;
}

/** 20 bytes of `0x` + 40 hex. Undefined when malformed, or in mixed case with a wrong EIP-55 checksum. */
export function parseHexAddress(text: string): Uint8Array | undefined {
  if (!/^0[xX][0-9a-fA-F]{40}$/.test(text)) return undefined;
  const digits = text.slice(2);
  const bytes = hexToBytes(digits);
  if (bytes === undefined) return undefined;
  const oneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  if (!oneCase && toChecksumAddress(bytes).slice(2) !== digits) return undefined;
  return bytes;
}

export function isZeroBytes(bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) if (bytes[i] !== 0) return false;
  return true;
}

/**
 * The bytes of an account: bech32 of 20 or 32 bytes with the prefix `hrp`, or 0x and 40 hex digits, EIP-55 when in mixed
 * case. Undefined for anything else: a wrong checksum, another prefix, another length.
 */
export function accountBytes(text: string, hrp: string): Uint8Array | undefined {
  if (/^0[xX]/.test(text)) return parseHexAddress(text);
  const decoded = decodeBech32(text);
  if (decoded === undefined || decoded.hrp !== hrp) return undefined;
  return decoded.bytes.length === 20 || decoded.bytes.length === 32 ? decoded.bytes : undefined;
}

/** The canonical bech32 form of such an account. */
export function canonicalAccount(text: string, hrp: string): string | undefined {
  const bytes = accountBytes(text, hrp);
  return bytes === undefined ? undefined : encodeBech32(hrp, bytes);
}
