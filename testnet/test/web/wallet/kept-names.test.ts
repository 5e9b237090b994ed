import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cannotRead,
  hasChanged,
  type KeptWallet,
  lookAt,
  NOTHING,
  type Place,
  replaceKept,
  type Storage,
  settleKept,
} from '../../../web/src/wallet/kept.ts';

/**
 * Two names for a wallet: a sealed one lies where tabs with an older build of the pages do not write. The first builds write
 * and erase `strata.wallet` without a look at it; the one before this one looks, and keeps sealed wallets there too.
 */

const OLD = 'strata.wallet';
const SEALED = 'strata.wallet.sealed';

function accountOf(key: number) {
  return { kind: 'burner', address: `aeva1${key}`, evmAddress: `0x${key}`, chainId: 'aeva_9111-1' } as const;
}

function clearOf(key: number): KeptWallet & { readonly privateKey: string } {
  return { ...accountOf(key), privateKey: String(key).padStart(64, '0') };
}

/** Of the right form; nothing here opens it. */
function sealedOf(key: number): KeptWallet {
  const base64 = (byteLength: number) => Buffer.alloc(byteLength, key).toString('base64');
  const sealed = {
    ...({ version: 1, kdf: 'PBKDF2-SHA-256', iterations: 1_000_000, salt: base64(16) } as const),
    ...({ cipher: 'AES-256-GCM', iv: base64(12), publicKey: base64(33), box: base64(48) } as const),
  };
  return { ...accountOf(key), sealed };
}

/** `before` runs before each use by this build: other tabs act there. */
class Shared implements Storage {
  readonly held = new Map<string, string>();
  before: () => void = () => undefined;
  breaks: (name: string, value: string) => string = (_, value) => value;
  #justRead: string | undefined;

  getItem(name: string): string | null {
    this.before();
    this.#justRead = name;
    return this.held.get(name) ?? null;
  }

  setItem(name: string, value: string): void {
    this.#change(name, () => this.held.set(name, this.breaks(name, value)));
  }

  removeItem(name: string): void {
    this.#change(name, () => this.held.delete(name));
  }

  /** Storage has no transactions. The moment between a look at a name and its change is the one that nothing can guard. */
  #change(name: string, change: () => void): void {
    if (this.#justRead !== name) this.before();
    this.#justRead = undefined;
    change();
  }
}

const text = (wallet: KeptWallet) => JSON.stringify(wallet);

describe('a wallet under a passphrase', () => {
  it('leaves the name that older builds write to, and wins over what they write there', () => {
    const place = new Shared();
    place.setItem(OLD, text(clearOf(1)));
    const sealed = replaceKept(place, lookAt(place), clearOf(1), sealedOf(1));
    expect([...place.held]).toEqual([[SEALED, text(sealedOf(1))]]);
    expect([NOTHING, sealed].map((seen) => hasChanged(place, seen))).toEqual([true, false]);
    // a tab of before passphrases, which now sees no wallet, makes one
    place.setItem(OLD, text(clearOf(2)));
    expect(hasChanged(place, sealed)).toBe(true);
    const both = lookAt(place);
    expect(both).toMatchObject({ kept: sealedOf(1), hidden: clearOf(2) });
    // who decided before it was there decides again
    expect(() => replaceKept(place, sealed, sealedOf(1), undefined)).toThrow(/changed in another tab/);
    const other = replaceKept(place, both, sealedOf(1), undefined);
    expect(other).toEqual({ ...NOTHING, text: text(clearOf(2)), kept: clearOf(2) });
    expect(replaceKept(place, other, clearOf(2), undefined)).toEqual(NOTHING);
  });

  it('of the version before opens, and takes its own name when it is written or has been unlocked', () => {
    for (const write of [
      (place: Storage, seen: Place) => replaceKept(place, seen, sealedOf(1), sealedOf(1)),
      (place: Storage, seen: Place) => settleKept(place, seen, clearOf(1).privateKey),
    ]) {
      const place = new Shared();
      place.setItem(OLD, text(sealedOf(1)));
      const seen = lookAt(place);
      expect(seen.kept).toEqual(sealedOf(1));
      expect(write(place, seen).kept).toEqual(sealedOf(1));
      expect([...place.held]).toEqual([[SEALED, text(sealedOf(1))]]);
    }
  });

  it('erases a copy of its key in clear once it was opened, and no other key', () => {
    for (const [written, isErased] of [
      [clearOf(1), true],
      [clearOf(2), false],
      [sealedOf(1), false],
    ] as const) {
      const place = new Shared();
      place.held.set(SEALED, text(sealedOf(1))).set(OLD, text(written));
      const settled = settleKept(place, lookAt(place), clearOf(1).privateKey);
      expect(settled.kept).toEqual(sealedOf(1));
      expect(settled.text).toBe(isErased ? null : text(written));
    }
  });

  it('that another tab has forgotten since leaves the copy, which may be all there is', () => {
    const place = new Shared();
    place.held.set(SEALED, text(sealedOf(1))).set(OLD, text(clearOf(1)));
    const seen = lookAt(place);
    replaceKept(place, seen, sealedOf(1), undefined);
    expect(settleKept(place, seen, clearOf(1).privateKey).kept).toEqual(clearOf(1));
  });

  it('is not replaced by a wallet for whose name another one is kept', () => {
    const place = new Shared();
    place.held.set(SEALED, text(sealedOf(1))).set(OLD, text(clearOf(2)));
    expect(() => replaceKept(place, lookAt(place), sealedOf(1), clearOf(3))).toThrow(/keeps another wallet/);
    expect([...place.held.values()]).toEqual([text(sealedOf(1)), text(clearOf(2))]);
  });

  it('leaves nothing under its name where the browser keeps half of it, and the key in clear stays', () => {
    const place = new Shared();
    place.held.set(OLD, text(clearOf(1)));
    place.breaks = (name, value) => (name === SEALED ? value.slice(0, 40) : value);
    expect(() => replaceKept(place, lookAt(place), clearOf(1), sealedOf(1))).toThrow(/does not keep/);
    expect([...place.held]).toEqual([[OLD, text(clearOf(1))]]);
  });

  it('that a later version wrote hides nothing for good: its owner may erase it alone', () => {
    const place = new Shared();
    place.held.set(SEALED, '{"version":9}').set(OLD, text(clearOf(1)));
    const seen = lookAt(place);
    expect(cannotRead(seen)).toBe(true);
    expect(replaceKept(place, seen, undefined, undefined).kept).toEqual(clearOf(1));
  });
});

describe('tabs of three builds at once', () => {
  type OldAct = { readonly at: number; readonly key: number; readonly act: 'make' | 'seal' | 'forget' };
  type Act = { readonly act: 'make' | 'clear' | 'seal' | 'forget' | 'unlock'; readonly key: number };
  const key = fc.integer({ min: 1, max: 3 });
  const oldActs = fc.array(
    fc.record({
      at: fc.integer({ min: 0, max: 12 }),
      key,
      act: fc.constantFrom<OldAct['act'][]>('make', 'make', 'seal', 'forget'),
    }),
    { maxLength: 3 },
  );
  const acts = fc.array(
    fc.record({
      key,
      act: fc.constantFrom<Act['act'][]>('make', 'clear', 'seal', 'forget', 'unlock'),
      isStale: fc.boolean(),
      old: oldActs,
    }),
    { maxLength: 8 },
  );

  const keysIn = (place: Shared) =>
    [OLD, SEALED].flatMap((name) => {
      const held = place.held.get(name);
      return held === undefined ? [] : [(JSON.parse(held) as KeptWallet).address];
    });

  /** What a person of this build does with the wallet that they see. */
  function perform({ act, key: made }: Act, place: Shared, seen: Place): Place {
    const { kept } = seen;
    if (act === 'forget') return replaceKept(place, seen, kept, undefined);
    if (act === 'make' && kept === undefined) return replaceKept(place, seen, undefined, sealedOf(made));
    if (act === 'clear' && kept === undefined) return replaceKept(place, seen, undefined, clearOf(made));
    const own = Number(kept?.address.slice('aeva1'.length));
    if (act === 'seal' && kept?.privateKey !== undefined)
      return replaceKept(place, seen, kept, sealedOf(own));
    if (act === 'unlock' && kept?.sealed !== undefined)
      return settleKept(place, seen, clearOf(own).privateKey);
    return seen;
  }

  it('lose no key but the one that somebody forgets, or that an older build writes over itself', () => {
    let count = 0;
    fc.assert(
      fc.property(acts, (all) => {
        const place = new Shared();
        let earlier = lookAt(place);
        for (const { isStale, old, ...act } of all) {
          const seen = isStale ? earlier : lookAt(place);
          earlier = lookAt(place);
          const there = new Set(keysIn(place));
          const lostByOld = new Set<string>();
          let uses = 0;
          place.before = () => {
            for (const { at, key: made, act: oldAct } of old) {
              if (at !== uses) continue;
              const sealed = place.held.get(SEALED);
              const before = new Set(keysIn(place));
              if (oldAct === 'forget') place.held.delete(OLD);
              else place.held.set(OLD, text(oldAct === 'make' ? clearOf(made) : sealedOf(made)));
              const after = keysIn(place);
              for (const address of before) if (!after.includes(address)) lostByOld.add(address);
              for (const address of after) {
                there.add(address);
                lostByOld.delete(address);
              }
              // the point of the second name
              expect(place.held.get(SEALED)).toBe(sealed);
              count += 1;
            }
            uses += 1;
          };
          try {
            const next = perform(act, place, seen);
            place.before = () => undefined;
            if (act.act === 'seal' && old.length === 0 && next !== seen) expect(next.text).toBeNull();
            for (const address of keysIn(place)) there.add(address);
          } catch (error) {
            expect(error).toMatchObject({ name: 'WalletError' });
          } finally {
            place.before = () => undefined;
          }
          const now = keysIn(place);
          for (const address of there) {
            if (now.includes(address) || lostByOld.has(address)) continue;
            expect(act.act, `${address} is lost`).toBe('forget');
            expect(address).toBe(seen.kept?.address);
          }
          expect([...place.held.keys()].sort()).toEqual([OLD, SEALED].filter((name) => place.held.has(name)));
          const shown = place.held.get(SEALED);
          if (shown !== undefined) expect(text(lookAt(place).kept ?? clearOf(0))).toBe(shown);
        }
      }),
      { numRuns: 3_000 },
    );
    expect(count).toBeGreaterThan(1_000);
  });
});
