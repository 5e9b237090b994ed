import { signal } from '@preact/signals';
import { myAddress } from '../data/me.ts';
import { canSeal } from './envelope.ts';
import {
  cannotRead,
  hasChanged,
  type KeptWallet,
  lookAt,
  NOTHING,
  type Place,
  replaceKept,
  settleKept,
} from './kept.ts';
import { WalletError } from './wallet.ts';

/** The wallet that pages sign with, as this device remembers it. Light: what signs is loaded when it is needed. */
export const wallet = signal<KeptWallet | undefined>(undefined);
/** Something is kept that this version of the pages cannot read. */
export const isUnreadable = signal(false);
/** Another wallet that this browser keeps. It shows once the one in use is forgotten. */
export const hiddenWallet = signal<KeptWallet | undefined>(undefined);

export const UNREADABLE =
  'This browser keeps a wallet that these pages cannot read. Load them again: a newer version may. Nothing takes its place until it is erased.';

const LOCK = 'strata.wallet';
const LATER = 'strata.wallet.later';
let seen = NOTHING;

/** Goes on as long as the page does: other tabs of this browser have the same wallet. */
export function followWallet(): void {
  show(lookAt(localStorage));
  addEventListener('storage', () => {
    if (hasChanged(localStorage, seen)) show(lookAt(localStorage));
  });
  offerPassphrase();
}

/**
 * Keeps a wallet in place of `instead`, which is the one that somebody looked at when they chose. Errors: WalletError where
 * another tab was faster or something is kept that cannot be read, DOMException where the browser keeps nothing.
 */
export async function takeWallet(chosen: KeptWallet, instead: KeptWallet | undefined): Promise<void> {
  await alone(() => {
    if (isUnreadable.value) throw new WalletError('failed', UNREADABLE);
    replace(instead, chosen);
  });
}

/** Erases `instead`; with undefined, what cannot be read. Errors: WalletError where another tab was faster. */
export async function forgetWallet(instead: KeptWallet | undefined): Promise<void> {
  await alone(() => replace(instead, undefined));
}

/** Once its passphrase has opened `opened`: it gets the place that no older build writes to, and a copy in clear goes. */
export async function settleWallet(opened: KeptWallet, privateKey: string): Promise<void> {
  await alone(() => {
    if (JSON.stringify(seen.kept) !== JSON.stringify(opened)) return;
    try {
      show(settleKept(localStorage, seen, privateKey));
    } catch (error) {
      // a full browser, or a faster tab: it signs from where it is
      if (!(error instanceof DOMException || error instanceof WalletError)) throw error;
    }
  });
}

/** Not asked again by this tab. */
export function offerLater(): void {
  sessionStorage.setItem(LATER, '1');
}

/** Keys of before there were passphrases: their owners are asked once a tab, until they have chosen. */
function offerPassphrase(): void {
  const { kept } = seen;
  if (kept?.privateKey === undefined || kept.isClearByChoice === true || !canSeal()) return;
  if (sessionStorage.getItem(LATER) !== null) return;
  void import('../unlock/protect-dialog.tsx').then(
    ({ openProtectDialog }) => openProtectDialog(),
    // a file of before an update: the next load of the pages asks again
    () => undefined,
  );
}

function replace(instead: KeptWallet | undefined, next: KeptWallet | undefined): void {
  try {
    show(replaceKept(localStorage, seen, instead, next));
  } catch (error) {
    show(lookAt(localStorage));
    throw error;
  }
}

/** One tab after the other. Pages without TLS have no locks: there the comparison with what was seen is all. */
async function alone(act: () => void): Promise<void> {
  if (navigator.locks === undefined) act();
  else await navigator.locks.request(LOCK, act);
}

function show(place: Place): void {
  seen = place;
  wallet.value = place.kept;
  isUnreadable.value = cannotRead(place);
  hiddenWallet.value = place.hidden;
  myAddress.value = place.kept?.address;
}
