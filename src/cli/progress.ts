import type { LiveLine } from 'strata-kit/cli/live-line';
import type { Logger } from 'strata-kit/cli/logging';
import type { Clock } from 'strata-kit/clock';
import { formatProgress, formatProgressLog, type ProgressView, progressFields } from './progress-format.ts';

/** What the pipeline tells at each commit. */
export interface ProgressSnapshot {
  readonly height: number;
  /** The last height that was done when this run began, from - 1 for none. */
  readonly startHeight: number;
  readonly targetHeight: number;
  readonly chainHeight: number;
  /** Events since this run began. */
  readonly events: number;
}

export interface Progress {
  /** Cheap: keeps the numbers; drawing follows the clock. */
  update(snapshot: ProgressSnapshot): void;
  /** Takes the line away and logs the last state. Safe to call twice. */
  stop(): void;
}

export interface ProgressOptions {
  /** A live line where there is a terminal; otherwise a log line every LOG_INTERVAL_MS. */
  readonly line: LiveLine | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  readonly memoryBytes?: () => number;
}

export const DRAW_INTERVAL_MS = 200;
export const LOG_INTERVAL_MS = 5_000;
/** Long enough to hold several commits of a backfill, short enough to show a stall. */
export const RATE_WINDOW_MS = 10_000;

interface Sample {
  readonly timeMs: number;
  readonly height: number;
  readonly events: number;
}

/**
 * Shows how far indexing is. Rates are over the last RATE_WINDOW_MS up to now, so that they fall when nothing comes.
 */
export function createProgress(options: ProgressOptions): Progress {
  const { line, clock, log, memoryBytes = () => process.memoryUsage.rss() } = options;
  const samples: Sample[] = [];
  const stopped = new AbortController();
  const createdMs = clock.nowMs();
  let latest: ProgressSnapshot | undefined;

  const view = (snapshot: ProgressSnapshot): ProgressView => ({
    ...snapshot,
    ...rates(samples, clock.nowMs()),
    memoryBytes: memoryBytes(),
  });
  const logState = (snapshot: ProgressSnapshot, text: string) => {
    const state = view(snapshot);
    log.info({ progress: progressFields(state) }, `${text} ${formatProgressLog(state)}`);
  };
  const show = () => {
    if (latest === undefined) return;
    if (line === undefined) logState(latest, 'indexing');
    else line.set(formatProgress(view(latest), line.width()));
  };
  const tick = async () => {
    const intervalMs = line === undefined ? LOG_INTERVAL_MS : DRAW_INTERVAL_MS;
    while (!stopped.signal.aborted) {
      await clock.sleep(intervalMs, stopped.signal);
      if (!stopped.signal.aborted) show();
    }
  };
  tick().catch((error: unknown) => log.error({ err: error }, 'the progress line failed'));

  return {
    update: (snapshot) => {
      const timeMs = clock.nowMs();
      if (latest === undefined) samples.push({ timeMs: createdMs, height: snapshot.startHeight, events: 0 });
      samples.push({ timeMs, height: snapshot.height, events: snapshot.events });
      latest = snapshot;
      dropOld(samples, timeMs);
    },
    stop: () => {
      if (stopped.signal.aborted) return;
      stopped.abort();
      line?.clear();
      if (latest !== undefined) logState(latest, 'stopped at');
    },
  };
}

/** Keeps one sample at or before the window's edge, so that the window is always covered. */
function dropOld(samples: Sample[], nowMs: number): void {
  const edgeMs = nowMs - RATE_WINDOW_MS;
  while (samples.length > 2 && (samples[1] as Sample).timeMs <= edgeMs) samples.shift();
}

function rates(samples: readonly Sample[], nowMs: number) {
  const first = samples.find((_, index) => {
    const next = samples[index + 1];
    return next === undefined || next.timeMs > nowMs - RATE_WINDOW_MS;
  });
  const last = samples.at(-1);
  if (first === undefined || last === undefined) return { blocksPerSecond: 0, eventsPerSecond: 0 };
  const seconds = Math.max(nowMs - first.timeMs, 1) / 1_000;
  return {
    blocksPerSecond: (last.height - first.height) / seconds,
    eventsPerSecond: (last.events - first.events) / seconds,
  };
}
