import { signal } from '@preact/signals';
import type { BurnerKey } from './burner-key.ts';
import { createHeldKey, type TabWord } from './held-key.ts';
import { wallet } from './in-use.ts';
import type { KeptWallet } from './kept.ts';

/** The unlocked key of this tab. It is in no storage, and gone with the tab. */

/** Minutes without use after which it is locked. */
export const IDLE_CHOICES = [5, 15, 60] as const;
const IDLE_DEFAULT = 15;
const IDLE_NAME = 'strata.wallet.idle-minutes';

export const isUnlocked = signal(false);
export const idleMinutes = signal<number>(readIdle());

const channel = new BroadcastChannel('strata.wallet');
const key = createHeldKey<BurnerKey>({
  nowMs: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  idleMs: () => readIdle() * 60_000,
  tabs: {
    tell: (word) => channel.postMessage(word),
    hear: (listen) => channel.addEventListener('message', ({ data }: MessageEvent<TabWord>) => listen(data)),
  },
  onChange(isHeld) {
    isUnlocked.value = isHeld;
  },
});

for (const name of ['pointerdown', 'keydown'])
  addEventListener(name, () => key.touch(), { capture: true, passive: true });
// a page that the browser keeps for "back" would keep the key with it
addEventListener('pagehide', () => key.drop());
// forgotten, or another one, here or in another tab
wallet.subscribe((kept) => {
  if (isUnlocked.peek() && (kept === undefined || keyOfTab(kept) === undefined)) key.drop();
});

/** Undefined while it is locked. */
export function keyOfTab(kept: KeptWallet): BurnerKey | undefined {
  return kept.sealed === undefined ? undefined : key.get(kept.sealed.box);
}

export function holdInTab(kept: KeptWallet, unlocked: BurnerKey): void {
  if (kept.sealed !== undefined) key.hold(kept.sealed.box, unlocked);
}

/** In all tabs. */
export function lockTabs(): void {
  key.lock();
}

export function chooseIdle(minutes: number): void {
  localStorage.setItem(IDLE_NAME, String(minutes));
  idleMinutes.value = minutes;
  key.touch();
}

function readIdle(): number {
  const kept = Number(localStorage.getItem(IDLE_NAME));
  return IDLE_CHOICES.find((one) => one === kept) ?? IDLE_DEFAULT;
}
