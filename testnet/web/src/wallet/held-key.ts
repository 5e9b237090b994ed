/** A key that was unlocked, in the memory of one tab, until nobody has used the pages for a while. */
export interface HeldKey<K> {
  /** The key of this name; undefined while it is locked. */
  get(name: string): K | undefined;
  hold(name: string, key: K): void;
  /** Somebody does something here: the time begins anew, in all tabs. */
  touch(): void;
  /** In this tab alone. */
  drop(): void;
  /** In all tabs. */
  lock(): void;
}

export interface HeldKeyParts {
  /** Of the wall clock: a computer that slept has aged. */
  nowMs(): number;
  after(ms: number, run: () => void): () => void;
  idleMs(): number;
  readonly tabs: Tabs;
  /** Whenever a key is held or no longer held. */
  onChange(isHeld: boolean): void;
}

/** The other tabs of this browser. */
export interface Tabs {
  tell(word: TabWord): void;
  hear(listen: (word: TabWord) => void): void;
}

export type TabWord = 'used' | 'lock';

/** How often tabs tell each other that they are used. */
const TELL_MS = 10_000;

export function createHeldKey<K>({ nowMs, after, idleMs, tabs, onChange }: HeldKeyParts): HeldKey<K> {
  let held: { readonly name: string; readonly key: K } | undefined;
  let usedMs = 0;
  let toldMs = Number.NEGATIVE_INFINITY;
  /** When the timer runs. */
  let dueMs = 0;
  let cancel = (): void => undefined;

  const drop = (): void => {
    cancel();
    if (held === undefined) return;
    held = undefined;
    onChange(false);
  };
  /** A clock that was put back tells nothing of how long it was. */
  const leftMs = (): number => {
    const idleForMs = nowMs() - usedMs;
    return idleForMs < 0 ? 0 : idleMs() - idleForMs;
  };
  const watch = (): void => {
    cancel();
    const ms = leftMs();
    if (ms <= 0) drop();
    else {
      dueMs = nowMs() + ms;
      cancel = after(ms, watch);
    }
  };
  tabs.hear((word) => {
    if (word === 'lock') drop();
    else if (held !== undefined && leftMs() > 0) usedMs = nowMs();
  });

  return {
    get(name) {
      if (held !== undefined && leftMs() <= 0) drop();
      return held?.name === name ? held.key : undefined;
    },
    hold(name, key) {
      drop();
      held = { name, key };
      usedMs = nowMs();
      watch();
      onChange(true);
    },
    touch() {
      // what is over stays over, although its timer has not run yet
      if (held !== undefined && leftMs() <= 0) drop();
      const now = nowMs();
      if (held !== undefined) {
        usedMs = now;
        // a timer that runs too early begins anew by itself; one of a longer choice would run too late
        if (dueMs > now + idleMs()) watch();
      }
      if (now - toldMs < TELL_MS && now >= toldMs) return;
      toldMs = now;
      tabs.tell('used');
    },
    drop,
    lock() {
      drop();
      tabs.tell('lock');
    },
  };
}
