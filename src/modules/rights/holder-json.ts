import type { HeldLocks, Place } from './holders-read.ts';

/** GraphHolder of answers.md, and what Holder of api.md begins with. */
export interface HolderJson {
  readonly holder: string;
  readonly units: string;
  readonly encumbered: string;
  readonly locks: readonly { readonly ref: string; readonly units: string }[];
}

const NO_LOCKS: HeldLocks = { encumbered: 0n, locks: [] };

export function holderJson(
  { holder, units }: Place,
  { encumbered, locks }: HeldLocks = NO_LOCKS,
): HolderJson {
  return {
    holder,
    units: String(units),
    encumbered: String(encumbered),
    locks: locks.map((lock) => ({ ref: lock.ref, units: String(lock.units) })),
  };
}
