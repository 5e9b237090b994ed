import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { openKeyring } from '../../src/client/keyring.ts';
import { keyFromSeed } from '../../src/client/keys.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

const key = keyFromSeed('eth_secp256k1', 'abc');

describe('a keyring', () => {
  it('keeps keys in files that their owner alone can read', () => {
    const path = join(folder.path, 'a', 'keys');
    const ring = openKeyring(path);
    expect(ring.list()).toEqual([]);
    ring.add('zoe', key);
    ring.add('adam-2', keyFromSeed('secp256k1', 'abc'));
    expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(statSync(join(path, 'zoe.json')).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(join(path, 'zoe.json'), 'utf8'))).toEqual({
      warning: 'testnet only: this private key lies here unencrypted',
      algorithm: 'eth_secp256k1',
      private_key: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    });
    expect(
      openKeyring(path)
        .list()
        .map(({ name }) => name),
    ).toEqual(['adam-2', 'zoe']);
    expect(openKeyring(path).get('zoe')).toEqual(key);
  });

  it('never writes over a key, nor outside of its folder', () => {
    const ring = openKeyring(join(folder.path, 'b'));
    ring.add('a', key);
    expect(() => ring.add('a', keyFromSeed('secp256k1', 'other'))).toThrow("there is a key 'a' already");
    expect(ring.get('a')).toEqual(key);
    for (const name of ['../a', '', 'A', '-a', 'a/b', 'a'.repeat(65)]) {
      expect(() => ring.add(name, key)).toThrow('is no name of a key');
      expect(() => ring.get(name)).toThrow('is no name of a key');
    }
  });

  it('says what is there when a key is not', () => {
    const ring = openKeyring(join(folder.path, 'c'));
    expect(() => ring.get('bob')).toThrow('there are none');
    ring.add('alice', key);
    expect(() => ring.get('bob')).toThrow(/no key 'bob' in .*: there are alice/);
  });

  it('refuses files that are no keys', () => {
    const path = join(folder.path, 'd');
    mkdirSync(path);
    const ring = openKeyring(path);
    const file = join(path, 'x.json');
    for (const text of [
      '',
      '[]',
      'null',
      '{"algorithm":"ed25519","private_key":"00"}',
      '{"algorithm":"secp256k1"}',
    ]) {
      writeFileSync(file, text, { mode: 0o600 });
      chmodSync(file, 0o600);
      expect(() => ring.get('x')).toThrow(/is no JSON|is no key/);
    }
    writeFileSync(file, `{"algorithm":"secp256k1","private_key":"${'00'.repeat(32)}"}`, { mode: 0o600 });
    expect(() => ring.get('x')).toThrow('a private key is 32 bytes');
  });
});
