import { signal } from '@preact/signals';
import { myAddress } from '../data/me.ts';
import { forget, type KeptWallet, keep, readKept } from './kept.ts';

/** The wallet that pages sign with, as this device remembers it. Light: what signs is loaded when it is needed. */
export const wallet = signal<KeptWallet | undefined>(undefined);

/** Goes on as long as the page does: other tabs of this browser have the same wallet. */
export function followWallet(): void {
  show(readKept(localStorage));
  addEventListener('storage', () => show(readKept(localStorage)));
}

/** Takes the place of the one before. Errors: DOMException where the browser keeps nothing. */
export function takeWallet(chosen: KeptWallet): void {
  keep(localStorage, chosen);
  show(chosen);
}

export function forgetWallet(): void {
  forget(localStorage);
  show(undefined);
}

function show(kept: KeptWallet | undefined): void {
  wallet.value = kept;
  myAddress.value = kept?.address;
}
