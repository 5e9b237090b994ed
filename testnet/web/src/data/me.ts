import { signal } from '@preact/signals';

/** The bech32 address of the wallet in use, if any; the wallet sets it. */
export const myAddress = signal<string | undefined>(undefined);
