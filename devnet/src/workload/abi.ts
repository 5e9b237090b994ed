import { concatBytes, utf8ToBytes } from 'strata-kit/bytes';
import { keccak256 } from 'strata-kit/hash';
import { addressWord, WORD, wordOf } from '../modules/evm/abi.ts';

/** An integer, a boolean, a text, 20 bytes of an address or 32 of a word, addresses. */
export type AbiValue = bigint | boolean | string | Uint8Array | readonly Uint8Array[];

const selectors = new Map<string, Uint8Array>();

/**
 * The data of a call: `encodeCall('transfer(address,uint256)', [to, 5n])`. Solidity's ABI for what the workload calls,
 * since ethers' own coder takes a twentieth of a corpus' time.
 */
export function encodeCall(signature: string, values: readonly AbiValue[]): Uint8Array {
  let selector = selectors.get(signature);
  if (selector === undefined) {
    selector = keccak256(utf8ToBytes(signature)).slice(0, 4);
    selectors.set(signature, selector);
  }
  const heads: Uint8Array[] = [];
  const tails: Uint8Array[] = [];
  let offset = values.length * WORD;
  for (const value of values) {
    const fixed = fixedWord(value);
    if (fixed !== undefined) {
      heads.push(fixed);
      continue;
    }
    const tail = dynamic(value as string | readonly Uint8Array[]);
    heads.push(wordOf(BigInt(offset)));
    tails.push(tail);
    offset += tail.length;
  }
  return concatBytes([selector, ...heads, ...tails]);
}

function fixedWord(value: AbiValue): Uint8Array | undefined {
  if (typeof value === 'bigint') return wordOf(value);
  if (typeof value === 'boolean') return wordOf(value ? 1n : 0n);
  if (value instanceof Uint8Array) return value.length === WORD ? value : addressWord(value);
  return undefined;
}

/** A length, then the bytes filled up to whole words, or a word for each. */
function dynamic(value: string | readonly Uint8Array[]): Uint8Array {
  if (typeof value !== 'string')
    return concatBytes([wordOf(BigInt(value.length)), ...value.map(addressWord)]);
  const bytes = utf8ToBytes(value);
  const filled = new Uint8Array(Math.ceil(bytes.length / WORD) * WORD);
  filled.set(bytes);
  return concatBytes([wordOf(BigInt(bytes.length)), filled]);
}
