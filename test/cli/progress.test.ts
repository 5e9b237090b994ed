import { createLogger } from 'strata-kit/cli/logging';
import type { Clock } from 'strata-kit/clock';
import { describe, expect, it } from 'vitest';
import { createProgress } from '../../src/cli/progress.ts';
import {
  estimateSeconds,
  formatBar,
  formatBytes,
  formatCount,
  formatDuration,
  formatProgress,
  formatRate,
} from '../../src/cli/progress-format.ts';

describe('numbers for people', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1_000, '1,000'],
    [12_345_678, '12,345,678'],
  ])('count %d is %s', (count, text) => expect(formatCount(count)).toBe(text));

  it.each([
    [0, '0'],
    [0.16, '0.2'],
    [9.94, '9.9'],
    [9.96, '10'],
    [812.4, '812'],
    [1_234, '1,234'],
    [98_765, '98.8k'],
    [999_960, '1.0M'],
  ])('rate %d is %s', (rate, text) => expect(formatRate(rate)).toBe(text));

  it.each([
    [undefined, '—'],
    [Number.POSITIVE_INFINITY, '—'],
    [0, '0s'],
    [59.4, '59s'],
    [59.6, '1m00s'],
    [3_599, '59m59s'],
    [7_620, '2h07m'],
    [356_400, '4d03h'],
  ])('%s seconds are %s', (seconds, text) => expect(formatDuration(seconds)).toBe(text));

  it.each([
    [412_300_000, '412 MB'],
    [999_600_000, '1.0 GB'],
    [12_340_000_000, '12.3 GB'],
  ])('%d bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

  it('a bar is full only when all is done', () => {
    expect(formatBar(0, 10, 4)).toBe('░░░░');
    expect(formatBar(99, 100, 4)).toBe('███░');
    expect(formatBar(100, 100, 4)).toBe('████');
    expect(formatBar(3, 0, 4)).toBe('████');
  });
});

const backfill = {
  height: 451_000,
  startHeight: 1_000,
  targetHeight: 1_001_000,
  chainHeight: 1_001_002,
  blocksPerSecond: 2_500,
  eventsPerSecond: 181_440,
  memoryBytes: 612_000_000,
};

describe('the line', () => {
  it('of a backfill has everything where there is room', () => {
    expect(formatProgress(backfill, 200)).toBe(
      '███████░░░░░░░░░ 45% · 451,000/1,001,000 · 2,500 blocks/s · 181.4k events/s · lag 550,002 · ETA 3m40s · 612 MB',
    );
  });

  it('drops the least telling fields rather than wrap', () => {
    expect(formatProgress(backfill, 79)).toBe(
      '451,000/1,001,000 · 2,500 blocks/s · 181.4k events/s · lag 550,002 · ETA 3m40s',
    );
    expect(formatProgress(backfill, 50)).toBe('451,000/1,001,000 · 2,500 blocks/s · ETA 3m40s');
    expect(formatProgress(backfill, 10)).toBe('451,000/1,');
    for (let width = 1; width < 130; width++) {
      expect(formatProgress(backfill, width).length).toBeLessThanOrEqual(width);
    }
  });

  it('at the head has no bar and no ETA', () => {
    const head = {
      ...backfill,
      height: 1_001_002,
      targetHeight: 1_001_002,
      blocksPerSecond: 0.17,
      eventsPerSecond: 20,
    };
    expect(formatProgress(head, 200)).toBe(
      '1,001,002/1,001,002 · 0.2 blocks/s · 20 events/s · lag 0 · 612 MB',
    );
  });

  it('knows no ETA without a rate', () => {
    expect(estimateSeconds({ ...backfill, blocksPerSecond: 0 })).toBeUndefined();
    expect(formatProgress({ ...backfill, blocksPerSecond: 0 }, 200)).toContain('ETA —');
    expect(estimateSeconds({ ...backfill, height: backfill.targetHeight })).toBe(0);
  });
});

/** A clock that stands still until the test moves it. */
function manualClock() {
  let nowMs = 0;
  let sleepers: { wakeMs: number; wake: () => void }[] = [];
  const clock: Clock = {
    nowMs: () => nowMs,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        sleepers.push({ wakeMs: nowMs + ms, wake: resolve });
        signal?.addEventListener('abort', () => resolve());
      }),
  };
  const advance = async (ms: number) => {
    nowMs += ms;
    const due = sleepers.filter(({ wakeMs }) => wakeMs <= nowMs);
    sleepers = sleepers.filter(({ wakeMs }) => wakeMs > nowMs);
    for (const { wake } of due) wake();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { clock, advance };
}

function start(withLine: boolean) {
  const { clock, advance } = manualClock();
  const lines: string[] = [];
  const drawn: string[] = [];
  const line = withLine
    ? {
        width: () => 120,
        set: (text: string) => drawn.push(text),
        clear: () => drawn.push(''),
        write: () => {},
      }
    : undefined;
  const log = createLogger({ format: 'json', level: 'info', write: (text) => lines.push(text) });
  const progress = createProgress({ line, clock, log, memoryBytes: () => 100_000_000 });
  const at = (height: number) =>
    progress.update({
      height,
      startHeight: 0,
      targetHeight: 10_000,
      chainHeight: 10_000,
      events: height * 3,
    });
  const logged = () => lines.map((text) => JSON.parse(text) as Record<string, unknown>);
  return { progress, advance, at, drawn, logged };
}

describe('progress', () => {
  it('redraws its line with rates over the last ten seconds', async () => {
    const { progress, advance, at, drawn } = start(true);
    await advance(1_000);
    at(500);
    await advance(1_000);
    at(1_000);
    await advance(0);
    await advance(200);
    expect(drawn.at(-1)).toMatch(
      / 10% · 1,000\/10,000 · 455 blocks\/s · 1,364 events\/s · lag 9,000 · ETA 20s · 100 MB$/,
    );
    progress.stop();
  });

  it('falls to no rate and no ETA when nothing comes', async () => {
    const { progress, advance, at, drawn } = start(true);
    await advance(1_000);
    at(500);
    await advance(60_000);
    expect(drawn.at(-1)).toContain('· 0 blocks/s ·');
    expect(drawn.at(-1)).toContain('ETA —');
    progress.stop();
  });

  it('is a log line every five seconds where there is no terminal', async () => {
    const { progress, advance, at, logged } = start(false);
    await advance(1_000);
    at(500);
    expect(logged()).toEqual([]);
    await advance(4_000);
    expect(logged()).toEqual([
      expect.objectContaining({
        level: 'info',
        progress: expect.objectContaining({
          height: 500,
          target: 10_000,
          blocksPerSecond: 100,
          etaSeconds: 95,
        }),
      }),
    ]);
    await advance(5_000);
    expect(logged()).toHaveLength(2);
    progress.stop();
  });

  it('ends with one line of the last state, once', async () => {
    const { progress, advance, at, drawn, logged } = start(true);
    at(500);
    progress.stop();
    progress.stop();
    expect(drawn.at(-1)).toBe('');
    expect(logged()).toHaveLength(1);
    const drawings = drawn.length;
    await advance(10_000);
    expect(drawn).toHaveLength(drawings);
  });
});
