import { randomBytes } from 'node:crypto';
import { isStrataError } from 'strata-kit/errors';
import { CURSOR_KEY_BYTES, readCursorKey } from '../store/cursor-keys.ts';
import type { Store } from '../store/store.ts';

/** The key of a process's cursors: the store's, or one of its own until the store has one that it may read. */
export interface CursorKey {
  current(): Uint8Array;
  /** Looks into the store until a key was found. Errors: store_query_failed, store_unreachable. */
  read(): Promise<void>;
}

const OWN_KEY = 'cursors are valid in this process only, until it ends';
/** ClickHouse's ACCESS_DENIED, and its words for a user without a grant. */
const DENIED = /\bCode: 497\b|ACCESS_DENIED|[Nn]ot enough privileges/;

export function createCursorKey(store: Store, warn: (message: string) => void): CursorKey {
  const own = randomBytes(CURSOR_KEY_BYTES);
  let kept: Uint8Array | undefined;
  let isDenied = false;
  let hasWarned = false;

  const warnOnce = (message: string): void => {
    if (!hasWarned) warn(`${message}: ${OWN_KEY}`);
    hasWarned = true;
  };

  return {
    current: () => kept ?? own,
    async read() {
      if (kept !== undefined || isDenied) return;
      try {
        kept = await readCursorKey(store);
      } catch (error) {
        if (!isStrataError(error, 'store_query_failed') || !DENIED.test(error.message)) throw error;
        isDenied = true;
        warnOnce("the store's user may not read the table cursor_keys");
        return;
      }
      if (kept === undefined)
        warnOnce('the store has no key for cursors yet; the next index, start or restore makes one');
    },
  };
}
