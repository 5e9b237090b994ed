import { bytesToHex } from 'strata-kit/bytes';
import { keyFromSeed, PUBLIC_KEY_TYPES, signBytes } from 'strata-kit/client/keys';
import { keccak256 } from 'strata-kit/hash';
import { signDigest } from 'strata-kit/secp256k1';
import { describe, expect, it } from 'vitest';
import { verifySignature } from '../../src/app/keys.ts';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const signed = Buffer.from('what is signed');

function signatureOf(algorithm: 'secp256k1' | 'eth_secp256k1') {
  const key = keyFromSeed(algorithm, 'abc');
  const compact = Buffer.from(signBytes(key, signed));
  const publicKey = { typeUrl: PUBLIC_KEY_TYPES[algorithm], key: bytesToHex(key.publicKey) };
  const id = signDigest(keccak256(signed), key.privateKey).recovery;
  return { compact, id, takes: (signature: Uint8Array) => verifySignature(publicKey, signature, signed) };
}

/** The same r with the order minus s: the other signature of the same key. */
function flipped(compact: Buffer): Buffer {
  const s = ORDER - BigInt(`0x${compact.subarray(32).toString('hex')}`);
  return Buffer.concat([compact.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')]);
}

const withByte = (compact: Buffer, byte: number) => Buffer.concat([compact, Buffer.of(byte)]);

describe('a signature that another could change on the way', () => {
  it('of eth_secp256k1 has a 65th byte only where that recovers the key', () => {
    const { compact, id, takes } = signatureOf('eth_secp256k1');
    expect(takes(compact)).toBe(true);
    const taken = Array.from({ length: 256 }, (_, byte) => byte).filter((byte) =>
      takes(withByte(compact, byte)),
    );
    expect(taken).toEqual([id]);
    expect(takes(Buffer.concat([withByte(compact, id), Buffer.of(0)]))).toBe(false);
  });

  it('of secp256k1 has 64 bytes', () => {
    const { compact, takes } = signatureOf('secp256k1');
    expect(takes(compact)).toBe(true);
    for (const byte of [0, 1, 27, 28]) expect(takes(withByte(compact, byte))).toBe(false);
    expect(takes(compact.subarray(0, 63))).toBe(false);
  });

  it.each(['secp256k1', 'eth_secp256k1'] as const)('of %s has the lower of its two s', (algorithm) => {
    const { compact, id, takes } = signatureOf(algorithm);
    expect(takes(flipped(compact))).toBe(false);
    expect(takes(withByte(flipped(compact), 1 - id))).toBe(false);
  });
});
