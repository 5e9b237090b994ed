import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  beginSearch,
  createLearning,
  type Dialect,
  describeDialect,
  endSearch,
  type Learning,
  noteRefused,
  noteUnderstood,
  type Refusal,
} from '../../src/chain/rpc/dialect.ts';
import { createPace, noteRefusal, noteTaken, pause, rateOf, waitForPlace } from '../../src/chain/rpc/pace.ts';
import {
  createWindow,
  FIRST_WINDOW,
  MAX_WINDOW,
  noteArrived,
  noteEnded,
  noteOverload,
  noteSent,
} from '../../src/chain/rpc/window.ts';
import { seededRandom } from '../support/random.ts';

/** How the source fits itself to a node, in simulated time. */

describe('the window of requests', () => {
  /** A node that answers after `latencyMs`, one request after the other in `serviceMs`; no doubling from `slowFrom` on. */
  function run(
    latencyMs: number,
    serviceMs: number | (() => number),
    forMs: number,
    most = MAX_WINDOW,
    slowFrom = most,
  ) {
    const window = createWindow(most, 0);
    const due: { readonly sentMs: number; readonly atMs: number }[] = [];
    let freeMs = 0;
    let answered = 0;
    for (let nowMs = 0; nowMs < forMs; nowMs++) {
      if (window.size >= slowFrom) window.isStarting = false;
      for (; due[0] !== undefined && due[0].atMs <= nowMs; due.shift()) {
        answered++;
        noteArrived(window, 200_000, nowMs - due[0].sentMs, nowMs);
        noteEnded(window);
      }
      while (window.inFlight < window.size) {
        noteSent(window);
        const tookMs = typeof serviceMs === 'number' ? serviceMs : serviceMs();
        freeMs = Math.max(freeMs, nowMs + latencyMs) + tookMs;
        due.push({ sentMs: nowMs, atMs: freeMs });
      }
    }
    return { window, perSecond: (answered * 1_000) / forMs };
  }

  it.each([50, 150, 400])('of a node that is %i ms away brings 0.8 of what a near one does', (latencyMs) => {
    // 2 ms a request: 500 requests and 2,500 blocks a second
    const serviceMs = latencyMs === 400 ? 4 : 2;
    const near = run(1, serviceMs, 20_000).perSecond;
    const far = run(latencyMs, serviceMs, 20_000);
    expect(far.perSecond / near).toBeGreaterThan(0.8);
    expect(far.window.size).toBeLessThanOrEqual(MAX_WINDOW);
  });

  it('grows by a quarter where that brings something', () => {
    expect(run(150, 2, 20_000, MAX_WINDOW, 16).window.size).toBeGreaterThan(60);
  });

  it('of a near node stays as it is, since more brings nothing', () => {
    expect(run(1, 5, 20_000).window.size).toBeLessThanOrEqual(FIRST_WINDOW * 1.25);
    expect(run(400, 0, 20_000, 20).window.size).toBe(20);
  });

  it('shrinks where fewer requests bring as much, also where the rate swings', () => {
    const random = seededRandom(9);
    const swinging = () => 2 + random.between(0, 6);
    expect(run(1, swinging, 60_000).window.size).toBeLessThan(30);
  });

  it('halves when the node is overloaded, once for requests that fail together', () => {
    const { window } = run(150, 2, 5_000);
    const { size } = window;
    for (let i = 0; i < 20; i++) noteOverload(window, 5_000 + i);
    expect(window.size).toBe(Math.floor(size / 2));
    for (let ms = 10_000; ms < 40_000; ms += 2_000) noteOverload(window, ms);
    expect(window.size).toBe(1);
  });
});

describe('the pace', () => {
  /** A gateway that takes `limit` requests a second, some more at once, and refuses a share of them for no reason. */
  function run(
    { limit, burst = limit, share = 0, retryAfterMs }: Gateway,
    forMs: number,
    configured?: number,
  ) {
    const pace = createPace(configured);
    const random = seededRandom(5);
    let tokens = burst;
    let taken = 0;
    let refused = 0;
    let mostInASecond = 0;
    const seconds = new Map<number, number>();
    for (let nowMs = 0; nowMs < forMs; nowMs++) {
      tokens = Math.min(burst, tokens + limit / 1_000);
      for (let sent = 0; sent < 10 && waitForPlace(pace, nowMs) === 0; sent++) {
        const second = Math.floor(nowMs / 1_000);
        seconds.set(second, (seconds.get(second) ?? 0) + 1);
        mostInASecond = Math.max(mostInASecond, seconds.get(second) ?? 0);
        if (tokens >= 1 && random.between(0, 999) >= share * 1_000) {
          tokens--;
          taken++;
          noteTaken(pace, nowMs);
        } else {
          refused++;
          noteRefusal(pace, nowMs);
          pause(pace, nowMs, () => 0.5, retryAfterMs);
        }
      }
    }
    return { taken, refused, mostInASecond, pace, perSecond: (taken * 1_000) / forMs };
  }
  interface Gateway {
    readonly limit: number;
    readonly burst?: number;
    readonly share?: number;
    readonly retryAfterMs?: number;
  }

  it('keeps to what is configured', () => {
    const { perSecond, mostInASecond } = run({ limit: 1_000 }, 10_000, 20);
    expect(perSecond).toBeCloseTo(20, 0);
    expect(mostInASecond).toBeLessThanOrEqual(21);
  });

  it.each([
    [{ limit: 10 }],
    [{ limit: 10, retryAfterMs: 1_000 }],
    [{ limit: 2 }],
    [{ limit: 50, burst: 500 }],
  ] as const)('learns what %j takes, and is refused a quarter of its requests at most', (gateway) => {
    const { perSecond, taken, refused } = run(gateway, 120_000);
    expect(perSecond).toBeGreaterThan(gateway.limit * 0.6);
    expect(refused / (taken + refused)).toBeLessThan(0.26);
  });

  it('is no slower than the pauses where refusals do not depend on it', () => {
    const { perSecond, pace } = run({ limit: 10_000, share: 0.2 }, 60_000);
    expect(perSecond).toBeGreaterThan(10);
    expect(rateOf(pace, 60_000)).toBe(Number.POSITIVE_INFINITY);
  });

  it('waits as long as the node asks, up to a minute', () => {
    const pace = createPace(undefined);
    pause(pace, 0, () => 0, 5_000);
    expect(waitForPlace(pace, 1_000)).toBe(4_000);
    pause(pace, 0, () => 0, 86_400_000);
    expect(waitForPlace(pace, 0)).toBe(60_000);
  });
});

describe('the dialect', () => {
  /** Asks for one thing until it is answered or given up; how often. */
  function ask(learning: Learning, refuses: (asked: Dialect) => Refusal | undefined, nowMs: number) {
    const search = beginSearch(learning, nowMs);
    for (let times = 1; ; times++) {
      const refusal = refuses(search.asked);
      if (refusal === undefined) {
        noteUnderstood(learning, search, nowMs);
        return { times, answered: true };
      }
      if (noteRefused(learning, search, refusal, nowMs) === undefined) return { times, answered: false };
    }
  }
  const certain = { kind: 'certain' } as const;
  const likely = { kind: 'likely' } as const;
  const spoken = (learning: Learning): string => describeDialect(learning.current);

  it('goes down from half a batch to single calls and GET, at once where the refusal is certain', () => {
    const learning = createLearning(10);
    const seen: string[] = [];
    const onlyGet = (asked: Dialect) => {
      seen.push(describeDialect(asked));
      return asked.transport === 'get' ? undefined : certain;
    };
    expect(ask(learning, onlyGet, 0)).toEqual({ times: 5, answered: true });
    expect(seen).toEqual([
      'batches of 10 calls by POST',
      'batches of 5 calls by POST',
      'batches of 2 calls by POST',
      'single calls by POST',
      'single calls by GET',
    ]);
    // known from then on
    expect(ask(learning, onlyGet, 1_000).times).toBe(1);
  });

  it('takes the limit that the refusal names', () => {
    const learning = createLearning(10);
    const upToFour = ({ calls }: Dialect) => (calls > 4 ? { ...certain, limit: 4 } : undefined);
    expect(ask(learning, upToFour, 0).times).toBe(2);
    expect(spoken(learning)).toBe('batches of 4 calls by POST');
  });

  it('takes the third failure in a row for a refusal, no sooner, and leaves a node that is down as it was', () => {
    const learning = createLearning(10);
    const batchFails = ({ calls }: Dialect) => (calls > 1 ? likely : undefined);
    expect([0, 1].map((ms) => ask(learning, batchFails, ms))).toEqual([
      { times: 1, answered: false },
      { times: 1, answered: false },
    ]);
    expect(ask(learning, batchFails, 2)).toEqual({ times: 4, answered: true });
    expect(spoken(learning)).toBe('single calls by POST');

    const down = createLearning(10);
    const asked = Array.from({ length: 20 }, (_, ms) => ask(down, () => likely, ms).times);
    expect(asked.filter((times) => times > 1)).toEqual([5]);
    expect(spoken(down)).toBe('batches of 10 calls by POST');
  });

  it('tries wider again, later with each refusal, and in a moment after failures', () => {
    const learning = createLearning(10);
    let isStrict = true;
    const refuses = ({ calls }: Dialect) => (isStrict && calls > 1 ? certain : undefined);
    const trials: number[] = [];
    for (let second = 0; second < 4_000; second++) {
      if (ask(learning, refuses, second * 1_000).times > 1) trials.push(second);
    }
    expect(trials).toEqual([0, 240, 720, 1_680, 3_480]);
    isStrict = false;
    for (let second = 4_000; second < 6_000; second++) ask(learning, refuses, second * 1_000);
    expect(spoken(learning)).toBe('batches of 10 calls by POST');
  });

  it('from GET goes back to POST when GET is refused', () => {
    const learning = createLearning(10);
    ask(learning, ({ transport }) => (transport === 'post' ? certain : undefined), 0);
    expect(
      ask(learning, ({ transport }) => (transport === 'get' ? certain : undefined), 1_000).answered,
    ).toBe(true);
    expect(spoken(learning)).toBe('single calls by POST');
  });

  it('finds a dialect that is taken, whatever else is on its way at the same time', () => {
    const property = fc.property(
      fc.array(fc.tuple(fc.nat(3), fc.constantFrom('answer', 'fail', 'begin')), { maxLength: 60 }),
      fc.constantFrom(1, 2, 4, 10),
      (steps, limit) => {
        const learning = createLearning(10);
        const searches = Array.from({ length: 4 }, () => beginSearch(learning, 0));
        let nowMs = 0;
        for (const [at, what] of steps) {
          const search = searches[at];
          if (search === undefined) continue;
          nowMs += 500;
          if (what === 'begin') searches[at] = beginSearch(learning, nowMs);
          else if (what === 'fail') endSearch(learning, search, nowMs);
          else if (search.asked.calls <= limit) noteUnderstood(learning, search, nowMs);
          else noteRefused(learning, search, certain, nowMs);
        }
        expect(ask(learning, ({ calls }) => (calls > limit ? certain : undefined), nowMs + 1).answered).toBe(
          true,
        );
      },
    );
    fc.assert(property, { numRuns: 300 });
  });
});
