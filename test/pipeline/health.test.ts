import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createIndexingHealth, type IndexingHealth } from '../../src/pipeline/health.ts';
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts';

/** What an indexing run tells of itself, on a clock that the tests drive. */

const BLOCK_MS = 2_000;
const SEEN_WITHIN_MS = 30_000;

let clock: FakeClock;
let health: IndexingHealth;
let lines: string[];
let stop: AbortController;
let watching: Promise<void>;

function start(commitMs = 2_000): void {
  clock = createFakeClock();
  lines = [];
  stop = new AbortController();
  const log = {
    info: (_facts: object, text: string) => lines.push(text),
    warn: (facts: object, text: string) =>
      lines.push(`${(facts as { reason?: string }).reason ?? 'warning'}: ${text.split(':')[0]}`),
  };
  health = createIndexingHealth({ clock, log, commitMs });
  watching = health.watch(stop.signal);
}

beforeEach(() => start());
afterEach(async () => {
  stop.abort();
  await watching;
});

/** The store stands at `height`; a block is made every `paceMs`. */
const indexed = (height: number, paceMs = BLOCK_MS): void =>
  health.noteIndexed(height, BigInt(height) * BigInt(paceMs) * 1_000_000n);

/** The chain grows and is followed without a delay. */
async function follow(from: number, to: number, paceMs = BLOCK_MS): Promise<void> {
  for (let height = from; height <= to; height++) {
    health.noteHead(height);
    indexed(height, paceMs);
    // the head is asked each second whether it has grown or not
    for (let ms = 0; ms < paceMs; ms += 1_000) {
      await clock.advance(Math.min(1_000, paceMs - ms));
      health.noteHead(height);
    }
  }
}

function followingAt(height: number): void {
  indexed(height);
  health.noteHead(height);
  health.notePhase('following');
}

describe('a run that goes well', () => {
  it('tells its heights and its lag, and logs nothing', async () => {
    health.notePhase('backfill');
    health.noteHead(10_000);
    for (let height = 1_000; height <= 10_000; height += 1_000) {
      indexed(height);
      await clock.advance(20_000);
      health.noteHead(10_000 + height);
    }
    expect(health.status()).toMatchObject({
      phase: 'backfill',
      indexedHeight: 10_000,
      chainHeight: 20_000,
      lagBlocks: 10_000,
      stall: undefined,
    });
    expect(lines).toEqual([]);
  });

  it('is no stall while it opens its store, however long that takes, nor after its end', async () => {
    await clock.advance(600_000);
    expect(health.status()).toMatchObject({ phase: 'opening', stall: undefined });
    health.noteHead(10);
    health.notePhase('backfill');
    expect(health.status().stall).toBeUndefined();
    health.notePhase('ended');
    await clock.advance(600_000);
    expect(health.status().stall).toBeUndefined();
    expect(lines).toEqual([]);
  });
});

describe('a stall', () => {
  it('of the store is one line within 30 s, and one when it is over', async () => {
    followingAt(100);
    const sinceMs = clock.nowMs();
    for (let height = 101; height < 401; height++) {
      health.noteHead(height);
      await clock.advance(1_000);
      if (height - 100 === SEEN_WITHIN_MS / 1_000) {
        expect(health.status().stall).toEqual({ reason: 'no_commit', sinceMs });
        expect(lines).toEqual(['no_commit: indexing stands still at height 100']);
      }
    }
    expect(lines).toHaveLength(1);
    indexed(400);
    await clock.advance(1_000);
    expect(health.status().stall).toBeUndefined();
    expect(lines.slice(1)).toEqual(['indexing goes on']);
  });

  it('of nodes that do not answer is told with the last error', async () => {
    followingAt(100);
    await clock.advance(10_000);
    health.noteError('node_unreachable', 'http://a');
    const failedMs = clock.nowMs();
    await clock.advance(SEEN_WITHIN_MS - 10_000);
    expect(health.status()).toMatchObject({
      stall: { reason: 'no_head', sinceMs: failedMs - 10_000 },
      lastError: { code: 'node_unreachable', node: 'http://a', atMs: failedMs },
    });
    expect(lines).toEqual(['no_head: indexing stands still at height 100']);
  });

  it('is none while commits go on and only the head is not told', async () => {
    health.noteHead(100_000);
    health.notePhase('backfill');
    for (let height = 1; height <= 60; height++) {
      indexed(height);
      await clock.advance(2_000);
    }
    expect(lines).toEqual([]);
  });

  it('of the chain is told apart', async () => {
    followingAt(1);
    await follow(2, 30);
    const grownMs = clock.nowMs() - BLOCK_MS;
    for (let ms = 0; ms < SEEN_WITHIN_MS; ms += 1_000) {
      await clock.advance(1_000);
      health.noteHead(30);
    }
    expect(health.status()).toMatchObject({
      lagBlocks: 0,
      stall: { reason: 'no_new_block', sinceMs: grownMs },
    });
    expect(lines).toEqual(['no_new_block: indexing stands still at height 30']);
    await follow(31, 40);
    expect(lines).toHaveLength(2);
    expect(health.status().stall).toBeUndefined();
  });

  it('of nodes that are below the store from the start is reported', async () => {
    indexed(100);
    health.noteHead(90);
    health.notePhase('following');
    for (let ms = 0; ms < SEEN_WITHIN_MS; ms += 1_000) {
      await clock.advance(1_000);
      health.noteHead(90);
    }
    expect(health.status().headBack).toMatchObject({ fromHeight: 100, toHeight: 90 });
  });

  it('of nodes whose head went back is reported with both heights, until it is where it was', async () => {
    followingAt(100);
    health.noteHead(90);
    const backMs = clock.nowMs();
    for (let ms = 0; ms < SEEN_WITHIN_MS; ms += 1_000) {
      await clock.advance(1_000);
      // a rolled-back chain goes on
      health.noteHead(91);
    }
    expect(health.status()).toMatchObject({
      stall: { reason: 'head_back', sinceMs: backMs },
      headBack: { fromHeight: 100, toHeight: 91, sinceMs: backMs },
    });
    expect(lines).toEqual([expect.stringContaining("the nodes' head went back from height 100 to 9")]);
    health.noteHead(101);
    indexed(101);
    await clock.advance(1_000);
    expect(health.status()).toMatchObject({ stall: undefined, headBack: undefined });
    expect(lines.slice(1)).toEqual(["the nodes' head is at height 101 again", 'indexing goes on']);
  });

  it('is none where a lower head is reported for a moment, or the store may still go on', async () => {
    followingAt(100);
    for (let height = 101; height < 140; height++) {
      health.noteHead(height);
      indexed(height);
      health.noteHead(height - 2);
      await clock.advance(2_000);
    }
    expect(health.status()).toMatchObject({ stall: undefined, headBack: undefined });
    health.noteHead(1_000);
    for (let height = 140; height < 160; height++) {
      health.noteHead(900);
      indexed(height);
      await clock.advance(1_000);
    }
    expect(health.status()).toMatchObject({
      stall: undefined,
      headBack: { fromHeight: 1_000, toHeight: 900 },
    });
  });

  it('is none of a chain whose blocks are a minute apart', async () => {
    indexed(1, 60_000);
    health.noteHead(2);
    health.notePhase('backfill');
    indexed(2, 60_000);
    health.notePhase('following');
    await follow(3, 20, 60_000);
    expect(lines).toEqual([]);
  });

  it('after a quiet time counts from the first block that came', async () => {
    followingAt(10);
    for (let second = 0; second < 20; second++) {
      await clock.advance(1_000);
      health.noteHead(10);
    }
    health.noteHead(11);
    const cameMs = clock.nowMs();
    await clock.advance(20_000);
    health.noteHead(12);
    expect(health.status().stall).toBeUndefined();
    await clock.advance(6_000);
    expect(health.status().stall).toEqual({ reason: 'no_commit', sinceMs: cameMs });
  });

  it('counts later where commits are meant to take long', async () => {
    stop.abort();
    await watching;
    start(60_000);
    followingAt(100);
    health.noteHead(200);
    await clock.advance(80_000);
    expect(lines).toEqual([]);
    await clock.advance(5_000);
    expect(lines).toHaveLength(1);
  });
});
