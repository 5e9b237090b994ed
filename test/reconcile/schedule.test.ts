import type { Clock } from 'strata-kit/clock';
import { StrataError } from 'strata-kit/errors';
import { describe, expect, it } from 'vitest';
import type { Reconciliation } from '../../src/reconcile/reconcile.ts';
import type { ReconciledExport } from '../../src/reconcile/reconcile-export.ts';
import type { Schedule } from '../../src/reconcile/repeat.ts';
import { createExportSchedule, createSchedule, type ScheduleLog } from '../../src/reconcile/schedule.ts';

/** Comparisons that repeat, on a clock that notes its pauses and lets them pass at once. */

const AGREED: Reconciliation = {
  sequence: 1,
  height: 7,
  evaluated: 3,
  notEvaluated: 0,
  agreed: 3,
  disagreed: 0,
  rows: [],
  leftOut: 0,
  unserved: [],
  exports: [],
};

type Outcome<T> = T | undefined | Error;

type Create<T> = (options: {
  readonly everyMs: number;
  readonly run: () => Promise<T | undefined>;
  readonly clock: Clock;
  readonly log: ScheduleLog;
  readonly onDone: (found: T | undefined) => void;
}) => Schedule;

/** Plays the outcomes one after the other, then stops; what it logged, and how long it paused between them. */
async function playOn<T>(create: Create<T>, everyMs: number, outcomes: readonly Outcome<T>[]) {
  const lines: string[] = [];
  const pauses: number[] = [];
  const heard: (T | undefined)[] = [];
  let runs = 0;
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const clock: Clock = {
    nowMs: () => 0,
    async sleep(ms, signal) {
      pauses.push(ms);
      if (runs < outcomes.length) return;
      end();
      await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));
    },
  };
  const schedule = create({
    everyMs,
    async run() {
      const outcome = outcomes[runs++];
      if (outcome instanceof Error) throw outcome;
      if (outcome === undefined && runs === outcomes.length) end();
      return outcome;
    },
    clock,
    log: { info: (_, text) => lines.push(`info ${text}`), warn: (_, text) => lines.push(`warn ${text}`) },
    onDone: (found) => heard.push(found),
  });
  schedule.begin();
  schedule.begin();
  await ended;
  await schedule.close();
  return { lines, pauses, heard, runs };
}

async function play(everyMs: number, outcomes: readonly Outcome<Reconciliation>[]) {
  const { heard, ...played } = await playOn(createSchedule, everyMs, outcomes);
  return { ...played, heard: heard.map((found) => found?.disagreed) };
}

const down = new StrataError('node_unreachable', 'nobody is there');

describe('a schedule of comparisons', () => {
  it('runs one after the other with a pause between them', async () => {
    const { runs, pauses, heard, lines } = await play(60_000, [AGREED, AGREED, AGREED]);
    expect([runs, pauses, heard]).toEqual([3, [60_000, 60_000, 60_000], [0, 0, 0]]);
    expect(lines[0]).toBe("info the chain's own numbers at height 7 are the derived ones");
  });

  it('waits twice as long after each failure, an hour at most, and goes on', async () => {
    const outcomes = [...Array.from({ length: 7 }, () => down), AGREED];
    const { pauses, heard, lines } = await play(60_000, outcomes);
    expect(pauses.map((ms) => ms / 60_000)).toEqual([2, 4, 8, 16, 32, 60, 60, 1]);
    expect(heard).toEqual([...Array.from({ length: 7 }, () => undefined), 0]);
    expect(lines[0]).toBe('warn the comparison with the chain failed');
  });

  it('warns of what does not agree', async () => {
    const { lines, heard } = await play(1_000, [{ ...AGREED, agreed: 1, disagreed: 2 }]);
    expect(heard).toEqual([2]);
    expect(lines).toEqual([
      "warn 2 of the chain's own numbers at height 7 are not the derived ones: strata verify lists them",
    ]);
  });

  it('tells of a query that is not served once', async () => {
    const unserved = [{ path: '/aeva.rights.v1.Query/Tokens', reason: 'unknown query path', count: 9 }];
    const { lines } = await play(1_000, [
      { ...AGREED, unserved },
      { ...AGREED, unserved },
    ]);
    expect(lines.filter((line) => line.startsWith('warn'))).toEqual([
      'warn the chain does not serve a query: what it tells is not compared',
    ]);
  });

  it('ends by itself over a store without modules', async () => {
    expect(await play(1_000, [undefined])).toMatchObject({ runs: 1, pauses: [], heard: [] });
  });

  it('never begins where the interval is 0', async () => {
    let runs = 0;
    const schedule = createSchedule({
      everyMs: 0,
      run: async () => {
        runs++;
        return AGREED;
      },
      clock: { nowMs: () => 0, sleep: async () => {} },
      log: { info: () => {}, warn: () => {} },
    });
    schedule.begin();
    await schedule.close();
    expect(runs).toBe(0);
  });
});

describe('a schedule of whole modules', () => {
  const found = (leftOut: number, reason?: string): ReconciledExport => ({
    module: 'rights',
    height: 7,
    compared: reason === undefined ? { module: 'rights', records: 9, differences: [], leftOut } : undefined,
    unserved: reason === undefined ? [] : [{ path: '/aeva.rights.v1.Query/Export', reason, count: 1 }],
  });

  it('goes on where there is nothing to compare yet, and after failures', async () => {
    const outcomes = [undefined, down, found(0), found(3)];
    const { lines, pauses, heard } = await playOn(createExportSchedule, 60_000, outcomes);
    expect(pauses.map((ms) => ms / 60_000)).toEqual([1, 2, 1, 1]);
    expect(heard.map((each) => each?.compared?.leftOut)).toEqual([undefined, 0, 3]);
    expect(lines).toEqual([
      'warn the comparison of a whole module failed',
      'info the whole state of rights at height 7 is the derived one',
      'warn the state of rights at height 7 differs from the derived one in 3 values: /v1/invariants lists them',
    ]);
  });

  it('logs once that a module is not compared, whatever reasons its node gives', async () => {
    const outcomes = [found(0, 'broken'), found(0, 'too large'), found(0, 'slow')];
    const { lines } = await playOn(createExportSchedule, 1_000, outcomes);
    expect(lines).toEqual(['warn the whole state of a module is not compared']);
  });
});
