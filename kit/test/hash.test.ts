import { keccak256 as ethersKeccak256 } from 'ethers';
import { expect, it } from 'vitest';
import { bytesToHex } from '../src/bytes.ts';
import { keccak256 } from '../src/hash.ts';

it('Keccak-256 is that of Ethereum for texts of every length around its blocks and buffers', () => {
  // a view into more bytes, as most of them are
  const bytes = Uint8Array.from({ length: 40_000 }, (_, i) => (i * 31) % 251).subarray(7);
  const lengths = [...Array(300).keys(), 16_383, 16_384, 16_385, 32_768, 39_993];
  for (const length of lengths) {
    const part = bytes.subarray(0, length);
    expect(`0x${bytesToHex(keccak256(part))}`, `${length} bytes`).toBe(ethersKeccak256(part));
  }
});
