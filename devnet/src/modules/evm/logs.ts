import type { Log } from '@ethereumjs/evm';
import { keccak256 } from 'strata-kit/hash';

export const BLOOM_BYTES = 256;

/** A bloom of 2,048 bits with the logs' addresses and topics added (Ethereum's yellow paper, 4.3.1). */
export function addToBloom(bloom: Uint8Array, logs: readonly Log[]): Uint8Array {
  const next = Uint8Array.from(bloom);
  for (const [address, topics] of logs) for (const part of [address, ...topics]) addPartToBloom(next, part);
  return next;
}

/** Adds an address or a topic in place. */
export function addPartToBloom(bloom: Uint8Array, part: Uint8Array): void {
  const hash = keccak256(part);
  for (let i = 0; i < 6; i += 2) {
    const bit = (((hash[i] as number) << 8) | (hash[i + 1] as number)) & 2_047;
    const at = BLOOM_BYTES - 1 - (bit >> 3);
    bloom[at] = (bloom[at] as number) | (1 << (bit & 7));
  }
}
