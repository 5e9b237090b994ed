import { readSealed, type SealedKey } from './envelope.ts';
import { type WalletAccount, WalletError, type WalletKind } from './wallet.ts';

/** What this device remembers of the wallet in use. Nothing of it ever leaves the browser. */
export interface KeptWallet extends WalletAccount {
  /** The chain that it was made for. */
  readonly chainId: string;
  /** Of a burner with a passphrase. */
  readonly sealed?: SealedKey;
  /** Of a burner without one: 64 hex digits, which anybody reads who can read this browser's storage. */
  readonly privateKey?: string;
  /** Somebody was asked, and chose to have no passphrase. */
  readonly isClearByChoice?: true;
}

/** As much of localStorage as is used. */
export interface Storage {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
}

export const NAME = 'strata.wallet';
/** A wallet on its way into its place. */
const NEW = 'strata.wallet.new';
const KINDS: readonly WalletKind[] = ['burner', 'keplr', 'injected'];

/** What is there. `text` is its exact form, by which a change of another tab is seen. */
export interface Place {
  readonly text: string | null;
  /** Undefined: there is none, or this version cannot read it. */
  readonly kept: KeptWallet | undefined;
}

export function lookAt(storage: Storage): Place {
  const text = storage.getItem(NAME);
  return { text, kept: text === null ? undefined : readKept(text) };
}

/**
 * Puts another wallet, or none, in place of `instead`, which must be what `seen` was read as. The new one is written beside the old one and read back before it takes
 * its place, so that a browser that cannot keep it loses nothing. Errors: WalletError where another tab has changed it, or where the browser does not give back what it was given; DOMException where it keeps nothing
 * (private windows, a full disk).
 */
export function replaceKept(
  storage: Storage,
  seen: Place,
  instead: KeptWallet | undefined,
  next: KeptWallet | undefined,
): Place {
  if (storage.getItem(NAME) !== seen.text || JSON.stringify(seen.kept) !== JSON.stringify(instead)) {
    throw new WalletError(
      'other_account',
      'The wallet of this browser was changed in another tab. Nothing was changed here: look at it, and decide again.',
    );
  }
  if (next === undefined) {
    storage.removeItem(NEW);
    storage.removeItem(NAME);
    return lookAt(storage);
  }
  const text = JSON.stringify(next);
  if (readKept(text) === undefined) throw new WalletError('failed', 'This wallet could not be read again.');
  try {
    write(storage, NEW, text);
    write(storage, NAME, text);
  } finally {
    storage.removeItem(NEW);
  }
  return lookAt(storage);
}

function write(storage: Storage, name: string, text: string): void {
  storage.setItem(name, text);
  if (storage.getItem(name) !== text)
    throw new WalletError('failed', 'This browser does not keep what it is given.');
}

function readKept(text: string): KeptWallet | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // it stays where it is: a later version may read it
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { kind, address, evmAddress, chainId, privateKey, sealed, isClearByChoice } = value as Record<
    string,
    unknown
  >;
  const known = KINDS.find((one) => one === kind);
  if (known === undefined || typeof address !== 'string' || typeof evmAddress !== 'string') return undefined;
  if (typeof chainId !== 'string') return undefined;
  const account = { kind: known, address, evmAddress, chainId };
  if (known !== 'burner') return account;
  if (sealed !== undefined) {
    const read = readSealed(sealed);
    return read === undefined ? undefined : { ...account, sealed: read };
  }
  if (typeof privateKey !== 'string') return undefined;
  return { ...account, privateKey, ...(isClearByChoice === true ? { isClearByChoice } : {}) };
}
