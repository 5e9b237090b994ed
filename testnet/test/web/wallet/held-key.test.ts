import { beforeEach, describe, expect, it } from 'vitest';
import { createHeldKey, type HeldKey, type TabWord } from '../../../web/src/wallet/held-key.ts';

/** An unlocked key: whoever finds an open tab after lunch must not have it. */

const IDLE_MS = 15 * 60_000;

let nowMs: number;
let idleMs: number;
let timers: { atMs: number; run: () => void }[];
let listeners: ((word: TabWord) => void)[];
let changes: boolean[];

beforeEach(() => {
  nowMs = 1_000_000;
  idleMs = IDLE_MS;
  timers = [];
  listeners = [];
  changes = [];
});

/** Of a browser whose tabs hear each other. */
function tab(): HeldKey<string> {
  let own: ((word: TabWord) => void) | undefined;
  return createHeldKey<string>({
    nowMs: () => nowMs,
    after(ms, run) {
      const timer = { atMs: nowMs + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((one) => one !== timer);
      };
    },
    idleMs: () => idleMs,
    tabs: {
      tell: (word) => {
        for (const listener of listeners) if (listener !== own) listener(word);
      },
      hear: (listener) => {
        own = listener;
        listeners.push(listener);
      },
    },
    onChange: (isHeld) => void changes.push(isHeld),
  });
}

function pass(ms: number): void {
  const until = nowMs + ms;
  for (;;) {
    const [next] = timers.toSorted((a, b) => a.atMs - b.atMs);
    if (next === undefined || next.atMs > until) break;
    nowMs = next.atMs;
    timers = timers.filter((one) => one !== next);
    next.run();
  }
  nowMs = until;
}

describe('an unlocked key', () => {
  it('is locked when nobody has used the pages for its time, by one timer that asks nothing meanwhile', () => {
    const key = tab();
    key.hold('box', 'key');
    pass(IDLE_MS - 1);
    expect(key.get('box')).toBe('key');
    expect(timers).toHaveLength(1);
    pass(1);
    expect(changes).toEqual([true, false]);
    expect(key.get('box')).toBeUndefined();
    expect(timers).toHaveLength(0);
  });

  it('stays as long as it is used, in this tab or in another', () => {
    const [one, two] = [tab(), tab()];
    one.hold('box', 'key');
    for (let minutes = 0; minutes < 60; minutes += 10) {
      pass(600_000);
      (minutes % 20 === 0 ? one : two).touch();
      expect(one.get('box')).toBe('key');
      expect(timers.length).toBeLessThanOrEqual(1);
    }
    pass(IDLE_MS);
    expect(one.get('box')).toBeUndefined();
  });

  it('is locked in every tab by who locks it in one', () => {
    const [one, two] = [tab(), tab()];
    one.hold('box', 'key');
    two.hold('box', 'key');
    two.lock();
    expect([one.get('box'), two.get('box')]).toEqual([undefined, undefined]);
    one.hold('box', 'key');
    two.hold('box', 'key');
    two.drop();
    expect([one.get('box'), two.get('box')]).toEqual(['key', undefined]);
  });

  it('is locked after a sleep in which no timer ran, whoever touches the keyboard first', () => {
    const key = tab();
    key.hold('box', 'key');
    nowMs += IDLE_MS;
    key.touch();
    expect(key.get('box')).toBeUndefined();
    key.hold('box', 'key');
    // a clock that was put back tells nothing of how long it was
    nowMs -= 60_000;
    expect(key.get('box')).toBeUndefined();
  });

  it('is that of its own envelope alone', () => {
    const key = tab();
    key.hold('box', 'key');
    expect(key.get('other')).toBeUndefined();
    key.hold('other', 'key 2');
    expect([key.get('box'), key.get('other')]).toEqual([undefined, 'key 2']);
  });

  it('takes a shorter time at once', () => {
    const key = tab();
    key.hold('box', 'key');
    idleMs = 300_000;
    key.touch();
    pass(300_000);
    expect(changes).toEqual([true, false]);
  });

  it('tells other tabs of its use now and then, not with every key', () => {
    const heard: TabWord[] = [];
    listeners.push((word) => void heard.push(word));
    const key = tab();
    for (let i = 0; i < 1_000; i++) {
      key.touch();
      nowMs += 20;
    }
    expect(heard).toEqual(['used', 'used']);
  });
});
