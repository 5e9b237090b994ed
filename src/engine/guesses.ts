import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { backoffMs } from 'strata-kit/backoff';
import { failure } from './failure.ts';

/**
 * Wrong passwords: each answer waits longer than the one before. They are counted by user and address (an IPv6 /64 is one),
 * so that guesses at the owner's password do not slow down a reader. A wait keeps its place although the client leaves.
 *
 * A right password never comes here: it neither waits nor resets a count. Where all places are taken, a wrong one is
 * refused at once. This bounds what guesses hold, not how many come over many connections.
 */
export interface Guesses {
  /** Resolves when the answer may be sent. Errors: TOO_MANY_SIMULTANEOUS_QUERIES, at once, when no place is free. */
  wrong(who: string): Promise<void>;
}

export interface GuessReport {
  /** Since the last report. */
  readonly wrong: number;
  /** Since the process began. */
  readonly total: number;
}

/** Typing errors do not wait. */
const FREE = 3;
const BACKOFF = { firstMs: 100, maxMs: 10_000 };
const MAX_WAITING = { each: 8, all: 256 };
/** Beyond that the one that was wrong longest ago is forgotten. */
const MAX_COUNTED = 10_000;
/** A count ends this long after the last wrong password that waited. Longer than any wait. */
const FORGET_AFTER_MS = 600_000;
const REPORT_EVERY_MS = 10_000;

interface Count {
  wrong: number;
  waiting: number;
}

export function createGuesses(
  report: (report: GuessReport) => void,
  { wait = (ms: number) => sleep(ms, undefined, { ref: false }), nowMs = Date.now } = {},
): Guesses {
  const counts = new LRUCache<string, Count>({
    max: MAX_COUNTED,
    ttl: FORGET_AFTER_MS,
    ttlResolution: 0,
    perf: { now: nowMs },
  });
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
    async wrong(who) {
      const count = counts.get(who) ?? { wrong: 0, waiting: 0 };
      total++;
      tell();
      if (count.waiting >= MAX_WAITING.each || waiting >= MAX_WAITING.all) {
        throw failure(
          'TOO_MANY_SIMULTANEOUS_QUERIES',
          'Too many wrong passwords at once: this one is wrong too. Check user and password.',
        );
      }
      counts.set(who, count);
      count.wrong++;
      if (count.wrong <= FREE) return;
      count.waiting++;
      waiting++;
      try {
        await wait(backoffMs(BACKOFF, count.wrong - FREE));
      } finally {
        count.waiting--;
        waiting--;
      }
    },
  };
}
