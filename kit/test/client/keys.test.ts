import { describe, expect, it } from 'vitest';
import {
  bech32Of,
  evmAddressOf,
  isSignatureOf,
  type KeyAlgorithm,
  keyFromSeed,
  keyOf,
  publicKeyJson,
  randomKey,
  signBytes,
} from '../../src/client/keys.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const ONE = Uint8Array.from({ length: 32 }, (_, i) => (i === 31 ? 1 : 0));
// the generator of secp256k1
const G = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
const ALGORITHMS: readonly KeyAlgorithm[] = ['secp256k1', 'eth_secp256k1'];

describe('keys', () => {
  it('of the private key 1 have the addresses that are known of it', () => {
    const key = keyOf('secp256k1', ONE);
    expect(hex(key.publicKey)).toBe(G);
    expect(hex(key.address)).toBe('751e76e8199196d454941c45d1b3a323f1433bd6');
    // the same 20 bytes as in BIP 173's bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4
    expect(bech32Of('aeva', key)).toMatch(/^aeva1w508d6qejxtdg4y5r3zarvary0c5xw7k/);
    expect(evmAddressOf(keyOf('eth_secp256k1', ONE))).toBe('0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf');
    expect(publicKeyJson(keyOf('eth_secp256k1', ONE))).toEqual({
      '@type': '/cosmos.evm.crypto.v1.ethsecp256k1.PubKey',
      key: Buffer.from(G, 'hex').toString('base64'),
    });
  });

  it('of a text are the SHA-256 of it', () => {
    // sha256('abc') and sha256('abc/0')
    expect(hex(keyFromSeed('secp256k1', 'abc').privateKey)).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
    expect(keyFromSeed('secp256k1', 'abc', 0).privateKey).toEqual(
      keyFromSeed('secp256k1', 'abc/0').privateKey,
    );
    expect(hex(keyFromSeed('secp256k1', 'abc', 1).address)).not.toBe(
      hex(keyFromSeed('secp256k1', 'abc', 0).address),
    );
  });

  it('that are random differ', () => {
    expect(hex(randomKey('secp256k1').privateKey)).not.toBe(hex(randomKey('secp256k1').privateKey));
  });

  it.each([new Uint8Array(32), new Uint8Array(31).fill(1), new Uint8Array(32).fill(0xff)])(
    'are refused beyond the order of the curve',
    (bytes) => {
      expect(() => keyOf('secp256k1', bytes)).toThrow('a private key is 32 bytes');
    },
  );

  it.each(ALGORITHMS)('%s signs what only it has signed', (algorithm) => {
    const key = keyFromSeed(algorithm, 'abc');
    const text = Buffer.from('hello');
    const signature = signBytes(key, text);
    expect(signature.length).toBe(64);
    expect(isSignatureOf(key, text, signature)).toBe(true);
    expect(isSignatureOf(key, Buffer.from('hullo'), signature)).toBe(false);
    expect(isSignatureOf(keyFromSeed(algorithm, 'abd'), text, signature)).toBe(false);
    const other = algorithm === 'secp256k1' ? 'eth_secp256k1' : 'secp256k1';
    expect(isSignatureOf({ ...key, algorithm: other }, text, signature)).toBe(false);
  });
});
