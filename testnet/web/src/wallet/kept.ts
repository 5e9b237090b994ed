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

/** Where keys in clear and the addresses of extensions lie. Every build reads and writes it; the first ones do so unasked. */
const NAME = 'strata.wallet';
/** Where a wallet under a passphrase lies. Older builds do not know the name, so none of their tabs can write over it. */
const SEALED_NAME = 'strata.wallet.sealed';
/** A wallet on its way into its place. */
const NEW = 'strata.wallet.new';
const KINDS: readonly WalletKind[] = ['burner', 'keplr', 'injected'];

/** What this browser keeps under both names. The texts are exact: a change by another tab shows in them. */
export interface Place {
  readonly text: string | null;
  readonly sealedText: string | null;
  /** The wallet in use: the sealed one if there is one. Undefined: there is none, or this version cannot read it. */
  readonly kept: KeptWallet | undefined;
  /** Another wallet under the first name, which an older build wrote while there was a sealed one. */
  readonly hidden: KeptWallet | undefined;
}

export const NOTHING: Place = { text: null, sealedText: null, kept: undefined, hidden: undefined };

export function lookAt(storage: Storage): Place {
  // in this order a wallet that moves meanwhile is seen at least once
  const text = storage.getItem(NAME);
  const sealedText = storage.getItem(SEALED_NAME);
  const open = readKept(text);
  return sealedText === null
    ? { text, sealedText, kept: open, hidden: undefined }
    : { text, sealedText, kept: readKept(sealedText), hidden: open };
}

export function cannotRead({ text, sealedText, kept }: Place): boolean {
  return (sealedText ?? text) !== null && kept === undefined;
}

export function hasChanged(storage: Storage, seen: Place): boolean {
  return storage.getItem(SEALED_NAME) !== seen.sealedText || storage.getItem(NAME) !== seen.text;
}

/**
 * Puts `next`, or nothing, in place of `instead`, which must be the wallet of `seen`. The new text is written beside the old
 * one and read back before it takes its place; the old one goes last. Nothing that was not shown is touched. Errors:
 * WalletError where another tab has changed something, or where the browser gives back another text; DOMException where it
 * keeps nothing (private windows, a full disk).
 */
export function replaceKept(
  storage: Storage,
  seen: Place,
  instead: KeptWallet | undefined,
  next: KeptWallet | undefined,
): Place {
  const refuseChanged = (): void => {
    if (hasChanged(storage, seen) || JSON.stringify(seen.kept) !== JSON.stringify(instead))
      throw new WalletError(
        'other_account',
        'The wallet of this browser was changed in another tab. Nothing was changed here: look at it, and decide again.',
      );
  };
  const shown = seen.sealedText === null ? NAME : SEALED_NAME;
  const shownText = seen.sealedText ?? seen.text;
  refuseChanged();
  if (next === undefined) {
    storage.removeItem(NEW);
    removeIf(storage, shown, shownText);
    return lookAt(storage);
  }
  const name = next.sealed === undefined ? NAME : SEALED_NAME;
  if (name !== shown && storage.getItem(name) !== null)
    throw new WalletError(
      'failed',
      'This browser keeps another wallet. Forget this one first, then look at that one.',
    );
  const text = JSON.stringify(next);
  if (readKept(text) === undefined) throw new WalletError('failed', 'This wallet could not be read again.');
  try {
    write(storage, NEW, text);
    refuseChanged();
    try {
      write(storage, name, text);
    } catch (error) {
      // half a text would hide the wallet that it was made of
      if (name === SEALED_NAME && seen.sealedText === null) storage.removeItem(name);
      throw error;
    }
  } finally {
    storage.removeItem(NEW);
  }
  if (name !== shown) removeIf(storage, shown, shownText);
  return lookAt(storage);
}

/**
 * Once a passphrase has opened the wallet of `seen`: a version before kept it under the first name, which it leaves now; a
 * copy of its key in clear, which an older build wrote, goes. Errors: as of replaceKept.
 */
export function settleKept(storage: Storage, seen: Place, privateKey: string): Place {
  if (seen.sealedText === null) return replaceKept(storage, seen, seen.kept, seen.kept);
  // the copy may be all there is, if another tab has forgotten the sealed one since
  if (!hasChanged(storage, seen) && seen.hidden?.privateKey === privateKey)
    removeIf(storage, NAME, seen.text);
  return lookAt(storage);
}

/** Compared at the last moment: storage has no transactions, and an older build takes no lock. */
function removeIf(storage: Storage, name: string, text: string | null): void {
  if (text !== null && storage.getItem(name) === text) storage.removeItem(name);
}

function write(storage: Storage, name: string, text: string): void {
  storage.setItem(name, text);
  if (storage.getItem(name) !== text)
    throw new WalletError('failed', 'This browser does not keep what it is given.');
}

function readKept(text: string | null): KeptWallet | undefined {
  if (text === null) return undefined;
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
