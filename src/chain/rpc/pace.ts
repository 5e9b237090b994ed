import { backoffMs } from 'strata-kit/backoff';

/**
 * When a node may be sent its next request: at the rate that is configured, at the rate that a node which refuses most
 * requests turned out to take, and not before the pause that it asked for is over. Times are the clock's milliseconds.
 */
export interface Pace {
  /** Requests a second; Infinity where none is configured. */
  readonly configured: number;
  /** Infinity until the node has refused too much. */
  learned: number;
  learnedAtMs: number;
  /** What the node took when the rate was learned: it is passed slowly. */
  ceiling: number;
  nextMs: number;
  pausedUntilMs: number;
  /** 429 in a row. */
  refusals: number;
  /** Lately, with less weight the longer ago. */
  refused: number;
  answered: number;
  /** Requests that were taken since then, the pauses included. */
  sinceMs: number;
  taken: number;
}

/** A node that refuses less is asked at the same rate, with the pauses that each 429 brings. */
const REFUSED_SHARE = 0.33;
/** Each answer counts so much less with each that follows. */
const FORGET = 63 / 64;
const FEW_ANSWERS = 20;
/** What a node takes is measured over so long, of which half is forgotten then. */
const MEASURE_MS = 5_000;
/** Of the rate that the node took. */
const CUT = 0.7;
/**
 * No lower rate is learned. One that refuses now and then for another reason looks like one that takes less: what it took
 * is then what was asked. A node that does take less has the pauses that its refusals bring.
 */
const SLOWEST = 1.5;
/** A second makes the learned rate so much greater, below the ceiling and above it. */
const GROWTH = 1.05;
const SLOW_GROWTH = 1.01;
/** Requests that were on their way are refused together: that counts once. */
const TOGETHER_MS = 1_000;
/** After a 429 without Retry-After; each one more in a row doubles it. */
const BACKOFF = { firstMs: 250, maxMs: 30_000 };
/** A node that asks for more is asked again all the same. */
const MAX_RETRY_AFTER_MS = 60_000;

export function createPace(configured: number | undefined): Pace {
  return {
    configured: configured ?? Number.POSITIVE_INFINITY,
    learned: Number.POSITIVE_INFINITY,
    learnedAtMs: Number.NEGATIVE_INFINITY,
    ceiling: 0,
    nextMs: Number.NEGATIVE_INFINITY,
    pausedUntilMs: Number.NEGATIVE_INFINITY,
    refusals: 0,
    refused: 0,
    answered: 0,
    sinceMs: Number.NEGATIVE_INFINITY,
    taken: 0,
  };
}

/** How long to wait before asking again here; 0: the request may be sent, and counts as sent. */
export function waitForPlace(pace: Pace, nowMs: number): number {
  const waitMs = Math.max(pace.pausedUntilMs, pace.nextMs) - nowMs;
  if (waitMs > 0) return waitMs;
  const rate = rateOf(pace, nowMs);
  if (Number.isFinite(rate)) pace.nextMs = nowMs + 1_000 / rate;
  return 0;
}

/** The rate that holds; Infinity for none. */
export function rateOf({ configured, learned, learnedAtMs, ceiling }: Pace, nowMs: number): number {
  if (!Number.isFinite(learned)) return configured;
  const seconds = Math.max(0, (nowMs - learnedAtMs) / 1_000);
  const untilCeiling = Math.max(0, Math.log(ceiling / learned) / Math.log(GROWTH));
  const grown =
    learned * GROWTH ** Math.min(seconds, untilCeiling) * SLOW_GROWTH ** Math.max(0, seconds - untilCeiling);
  return Math.min(configured, grown);
}

/** The node took a request. */
export function noteTaken(pace: Pace, nowMs: number): void {
  pace.refusals = 0;
  count(pace, 0);
  if (nowMs - pace.sinceMs > MEASURE_MS) {
    const isLong = nowMs - pace.sinceMs > 2 * MEASURE_MS;
    pace.taken = isLong ? 0 : pace.taken / 2;
    pace.sinceMs = isLong ? nowMs : (nowMs + pace.sinceMs) / 2;
  }
  pace.taken++;
}

/** The node refused a request: its rate is learned from what it took lately, once it refuses too many. */
export function noteRefusal(pace: Pace, nowMs: number): void {
  count(pace, 1);
  const isTooMuch = pace.answered >= FEW_ANSWERS && pace.refused >= REFUSED_SHARE * pace.answered;
  if (!isTooMuch || nowMs - pace.learnedAtMs < TOGETHER_MS) return;
  // a burst that a node takes at once says little of a second
  const seconds = Math.max(TOGETHER_MS, nowMs - pace.sinceMs) / 1_000;
  pace.ceiling = Math.max(SLOWEST, Math.min(rateOf(pace, nowMs), pace.taken / seconds));
  pace.learned = Math.max(SLOWEST, CUT * pace.ceiling);
  pace.learnedAtMs = nowMs;
  pace.sinceMs = nowMs;
  pace.taken = 0;
}

/** The node asks to be left alone, for so long where it says how long. */
export function pause(
  pace: Pace,
  nowMs: number,
  random: () => number,
  retryAfterMs: number | undefined,
): void {
  if (nowMs < pace.pausedUntilMs && retryAfterMs === undefined) return;
  pace.refusals++;
  const pauseMs = Math.min(retryAfterMs ?? backoffMs(BACKOFF, pace.refusals, random), MAX_RETRY_AFTER_MS);
  pace.pausedUntilMs = Math.max(pace.pausedUntilMs, nowMs + pauseMs);
}

function count(pace: Pace, refused: 0 | 1): void {
  pace.answered = pace.answered * FORGET + 1;
  pace.refused = pace.refused * FORGET + refused;
}
