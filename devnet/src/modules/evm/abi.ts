import { bytesToHex, hexToBytes, utf8ToBytes } from 'strata-kit/bytes';

/** The little of Solidity's ABI that the precompiles speak: words of 32 bytes. */

export const WORD = 32;

export function wordOf(value: bigint): Uint8Array {
  return hexToBytes(value.toString(16).padStart(2 * WORD, '0')) ?? new Uint8Array(WORD);
}

export function addressWord(address: Uint8Array): Uint8Array {
  const word = new Uint8Array(WORD);
  word.set(address, WORD - address.length);
  return word;
}

export function uintAt(data: Uint8Array, index: number): bigint {
  return BigInt(`0x${bytesToHex(data.subarray(4 + WORD * index, 4 + WORD * (index + 1)))}`);
}

/** Undefined where the word is no address: its first 12 bytes are not zero. */
export function addressAt(data: Uint8Array, index: number): Uint8Array | undefined {
  const word = data.subarray(4 + WORD * index, 4 + WORD * (index + 1));
  return word.subarray(0, 12).every((byte) => byte === 0) ? word.subarray(12) : undefined;
}

/** A string as the only value returned. */
export function stringResult(text: string): Uint8Array {
  const bytes = utf8ToBytes(text);
  const padded = Math.ceil(bytes.length / WORD) * WORD;
  const result = new Uint8Array(2 * WORD + padded);
  result.set(wordOf(BigInt(WORD)));
  result.set(wordOf(BigInt(bytes.length)), WORD);
  result.set(bytes, 2 * WORD);
  return result;
}

/** The data of a revert with a reason: Error(string). */
export function errorData(reason: string): Uint8Array {
  return Buffer.concat([Uint8Array.of(0x08, 0xc3, 0x79, 0xa0), stringResult(reason)]);
}
