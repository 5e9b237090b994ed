import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { failure } from './failure.ts';

/**
 * Wrong passwords: each answer waits longer than the one before. Counted by address and user, so that guesses at the
 * owner's password do not slow down a reader. A wait keeps its place although the client leaves, and where all places
 * are taken no password is compared. So more connections do not make more guesses.
 */
export interface Guesses {
  /** Before a password is compared. Errors: TOO_MANY_SIMULTANEOUS_QUERIES. */
  check(who: string): void;
  right(who: string): void;
  /** Resolves when the answer may be sent. */
  wrong(who: string): Promise<void>;
}

export interface GuessReport {
  /** Since the last report. */
  readonly wrong: number;
  /** Since the process began. */
  readonly total: number;
}

/** Typing errors are free. */
const FREE = 3;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 10_000;
const MAX_WAITING = { each: 8, all: 256 };
/** Beyond that the one that was wrong longest ago is forgotten. */
const MAX_COUNTED = 10_000;
const REPORT_EVERY_MS = 10_000;

interface Count {
  wrong: number;
  waiting: number;
}

export function createGuesses(
  report: (report: GuessReport) => void,
  { wait = (ms: number) => sleep(ms, undefined, { ref: false }), nowMs = Date.now } = {},
): Guesses {
  const counts = new LRUCache<string, Count>({ max: MAX_COUNTED });
  let waiting = 0;
  let total = 0;
  let reported = 0;
  let reportedMs = Number.NEGATIVE_INFINITY;

  function tell(): void {
    if (nowMs() - reportedMs < REPORT_EVERY_MS) return;
    report({ wrong: total - reported, total });
    reported = total;
    reportedMs = nowMs();
  }

  return {
    check(who) {
      const own = counts.get(who)?.waiting ?? 0;
      if (own < MAX_WAITING.each && waiting < MAX_WAITING.all) return;
      throw failure(
        'TOO_MANY_SIMULTANEOUS_QUERIES',
        'Too many wrong passwords at once: no more are compared for some seconds.',
      );
    },
    right(who) {
      counts.delete(who);
    },
    async wrong(who) {
      const count = counts.get(who) ?? { wrong: 0, waiting: 0 };
      counts.set(who, count);
      count.wrong++;
      total++;
      tell();
      if (count.wrong <= FREE) return;
      count.waiting++;
      waiting++;
      try {
        await wait(Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (count.wrong - FREE - 1)));
      } finally {
        count.waiting--;
        waiting--;
      }
    },
  };
}
