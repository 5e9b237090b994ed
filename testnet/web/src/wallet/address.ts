import { keccak_256 } from '@noble/hashes/sha3.js';
import { bech32, hex } from '@scure/base';

/** The 20 bytes of an account in its two ways to be written. */

export function bech32Of(hrp: string, bytes: Uint8Array): string {
  return bech32.encode(hrp, bech32.toWords(bytes));
}

/** EIP-55. */
export function evmAddressOf(bytes: Uint8Array): string {
  const digits = hex.encode(bytes);
  const hash = hex.encode(keccak_256(new TextEncoder().encode(digits)));
  return `0x${[...digits].map((digit, i) => ((hash[i] ?? '0') >= '8' ? digit.toUpperCase() : digit)).join('')}`;
}

/**
 * The bytes of what somebody typed: bech32 of this chain, or 0x and 40 hex digits, whose checksum must be right where it has
 * one. Undefined for anything else, also for the 32 bytes of a module, which nobody should pay by hand.
 */
export function accountOf(text: string, hrp: string): Uint8Array | undefined {
  const typed = text.trim();
  if (/^0x[0-9a-fA-F]{40}$/.test(typed)) {
    const digits = typed.slice(2);
    const bytes = hex.decode(digits.toLowerCase());
    const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
    return isOneCase || evmAddressOf(bytes) === typed ? bytes : undefined;
  }
  const parsed = bech32.decodeUnsafe(typed);
  if (parsed === undefined || parsed.prefix !== hrp) return undefined;
  const bytes = bech32.fromWordsUnsafe(parsed.words);
  return bytes instanceof Uint8Array && bytes.length === 20 ? bytes : undefined;
}
