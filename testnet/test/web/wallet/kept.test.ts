import { bech32Of, evmAddressOf, keyFromSeed } from 'strata-kit/client/keys';
import { beforeEach, describe, expect, it } from 'vitest';
import { canSeal, MIN_ITERATIONS, readSealed, type SealedKey } from '../../../web/src/wallet/envelope.ts';
import {
  cannotRead,
  type KeptWallet,
  lookAt,
  NOTHING,
  replaceKept,
  type Storage,
} from '../../../web/src/wallet/kept.ts';
import { sealedOf, unsealed } from '../../../web/src/wallet/sealed-burner.ts';
import { openKey, passphraseError, sealKey } from '../../../web/src/wallet/sealed-key.ts';

/** The burner's key in a browser: who reads the storage must not have it, and who owns it must not lose it. */

const key = keyFromSeed('eth_secp256k1', 'strata/test/kept');
const secret = Uint8Array.from(key.privateKey);
const privateKey = Buffer.from(secret).toString('hex');
const account = { address: bech32Of('aeva', key), evmAddress: evmAddressOf(key), chainId: 'aeva_9111-1' };
const clear: KeptWallet = { kind: 'burner', ...account, privateKey };
const PASSPHRASE = 'correct horse battery staple';

class Place implements Storage {
  readonly held = new Map<string, string>();
  /** What the browser does with what it is given. */
  keeps: (name: string, value: string) => string | undefined = (_, value) => value;

  getItem(name: string): string | null {
    return this.held.get(name) ?? null;
  }

  setItem(name: string, value: string): void {
    const kept = this.keeps(name, value);
    if (kept !== undefined) this.held.set(name, kept);
  }

  removeItem(name: string): void {
    this.held.delete(name);
  }
}

let place: Place;
beforeEach(() => {
  place = new Place();
});

/** Everything that storage holds, as a thief reads it. */
function stolen(): string {
  return [...place.held.values()].join('\n');
}

describe('a key under a passphrase', () => {
  it('is nowhere in what the browser keeps, and opens with the passphrase alone', async () => {
    const sealed = await sealedOf(clear, PASSPHRASE);
    place.setItem('strata.wallet', JSON.stringify(clear));
    expect(stolen()).toContain(privateKey);
    const kept = replaceKept(place, lookAt(place), clear, sealed).kept;
    expect(kept).toEqual(sealed);
    for (const form of ['hex', 'base64', 'base64url', 'latin1'] as const)
      expect(stolen()).not.toContain(Buffer.from(secret).toString(form).slice(0, 30));
    expect(stolen()).not.toContain(PASSPHRASE);
    expect((await unsealed(sealed, PASSPHRASE))?.privateKey).toBe(privateKey);
    for (const wrong of ['', PASSPHRASE.toUpperCase()]) expect(await unsealed(sealed, wrong)).toBeUndefined();
  });

  it('is not made of a key under an address of another one', async () => {
    const other = { ...clear, evmAddress: `0x${'0'.repeat(40)}` };
    await expect(sealedOf(other, PASSPHRASE)).rejects.toThrow(/not that of its address/);
  });

  it('does not open once anything beside it was changed, and says no more than of a wrong passphrase', async () => {
    const publicKey = Buffer.alloc(33, 2);
    const sealed = await sealKey(secret, publicKey, account, PASSPHRASE, MIN_ITERATIONS);
    const flipped = (text: string) => {
      const bytes = Buffer.from(text, 'base64');
      bytes[0] = (bytes[0] ?? 0) ^ 1;
      return bytes.toString('base64');
    };
    const changes: readonly Partial<SealedKey>[] = [
      { iterations: MIN_ITERATIONS + 1 },
      ...(['salt', 'iv', 'publicKey', 'box'] as const).map((name) => ({ [name]: flipped(sealed[name]) })),
    ];
    for (const change of changes)
      expect(
        await openKey({ ...sealed, ...change }, account, PASSPHRASE),
        JSON.stringify(change),
      ).toBeUndefined();
    for (const change of [{ address: 'aeva1other' }, { evmAddress: '0x1' }, { chainId: 'other' }])
      expect(await openKey(sealed, { ...account, ...change }, PASSPHRASE)).toBeUndefined();
  });

  it('is another envelope each time, and the same passphrase on another keyboard', async () => {
    const one = await sealKey(secret, Buffer.alloc(33), account, 'Stra\u00dfencafe\u0301', MIN_ITERATIONS);
    const two = await sealKey(secret, Buffer.alloc(33), account, 'Stra\u00dfencafe\u0301', MIN_ITERATIONS);
    for (const name of ['salt', 'iv', 'box'] as const) expect(one[name]).not.toBe(two[name]);
    expect(await openKey(one, account, 'Stra\u00dfencaf\u00e9')).toEqual(secret);
  });

  it('is read only as this version has written it: a changed cost neither weakens nor stops it', () => {
    const sealed = {
      ...{ version: 1, kdf: 'PBKDF2-SHA-256', iterations: 1_000_000, cipher: 'AES-256-GCM' },
      salt: Buffer.alloc(16).toString('base64'),
      iv: Buffer.alloc(12).toString('base64'),
      publicKey: Buffer.alloc(33).toString('base64'),
      box: Buffer.alloc(48).toString('base64'),
    };
    expect(readSealed(sealed)).toEqual(sealed);
    for (const change of [
      ...[{ version: 2 }, { kdf: 'MD5' }, { cipher: 'none' }, { iterations: 1 }, { iterations: 599_999 }],
      ...[{ iterations: 20_000_001 }, { iterations: 1e6 + 0.5 }, { iterations: '1000000' }, { salt: 'AAAA' }],
      ...[{ salt: 'A'.repeat(1e6) }, { iv: '!' }, { box: '' }, { publicKey: null }],
    ])
      expect(readSealed({ ...sealed, ...change }), JSON.stringify(change).slice(0, 80)).toBeUndefined();
  });

  it('needs a passphrase of some length, and a browser that encrypts', () => {
    expect(passphraseError('123456789')).toMatch(/at least 10/);
    expect(passphraseError('\u{1f600}'.repeat(9))).toMatch(/at least 10/);
    expect(passphraseError('1234567890')).toBeUndefined();
    expect(passphraseError('x'.repeat(1_001))).toMatch(/at most/);
    expect(canSeal()).toBe(true);
  });
});

describe('a wallet that takes the place of another', () => {
  const next: KeptWallet = { ...clear, isClearByChoice: true };

  it('is the one that is read next, until it is forgotten', () => {
    for (const wallet of [clear, next, { kind: 'keplr', ...account } as const]) {
      const seen = lookAt(place);
      expect(replaceKept(place, seen, seen.kept, wallet).kept).toEqual(wallet);
      expect(lookAt(place).kept).toEqual(wallet);
    }
    const seen = lookAt(place);
    expect(replaceKept(place, seen, seen.kept, undefined)).toEqual(NOTHING);
    expect(place.held.size).toBe(0);
  });

  it.each<[what: string, keeps: Place['keeps']]>([
    ['nothing', () => undefined],
    ['half of it', (_, value) => value.slice(0, value.length / 2)],
    ['another one', () => '{}'],
    [
      'nothing, and says so',
      () => {
        throw new DOMException('full', 'QuotaExceededError');
      },
    ],
  ])('does not, where the browser keeps %s: the key is still there', (_, keeps) => {
    place.setItem('strata.wallet', JSON.stringify(clear));
    place.keeps = keeps;
    expect(() => replaceKept(place, lookAt(place), clear, next)).toThrow();
    expect([...place.held]).toEqual([['strata.wallet', JSON.stringify(clear)]]);
  });

  it('does not, where two tabs choose at once: the second is told', () => {
    const [first, second] = [lookAt(place), lookAt(place)];
    replaceKept(place, first, undefined, clear);
    expect(() => replaceKept(place, second, undefined, next)).toThrow(/changed in another tab/);
    expect(lookAt(place).kept).toEqual(clear);
    // and where the other tab's wallet was seen, but not by who decided
    expect(() => replaceKept(place, lookAt(place), undefined, next)).toThrow(/changed in another tab/);
    expect(() => replaceKept(place, lookAt(place), next, undefined)).toThrow(/changed in another tab/);
    expect(lookAt(place).kept).toEqual(clear);
  });

  it('is not read where this version did not write it, and stays', () => {
    const burner = { kind: 'burner', ...account };
    for (const value of [
      '{',
      '1',
      'null',
      '{"kind":"burner"}',
      burner,
      { ...burner, sealed: { version: 2 } },
    ]) {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      place.setItem('strata.wallet', text);
      const seen = lookAt(place);
      expect(seen, text).toEqual({ ...NOTHING, text });
      expect(cannotRead(seen)).toBe(true);
    }
  });
});
