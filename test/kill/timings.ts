import type { TracedCommand } from '../support/command.ts';

/** How long the phases of a run took the last time, so that a kill can be aimed into one. In milliseconds. */
export interface Timings {
  /** The shortest of all: it depends on what there is to repair. */
  readonly startUpMs: number;
  readonly insertMs: number;
  readonly checkpointMs: number;
  /** From the end of a commit to the next one. */
  readonly decodeMs: number;
  watch(run: TracedCommand): void;
}

export function createTimings(): Timings {
  const timings = { startUpMs: 1_500, insertMs: 100, checkpointMs: 10, decodeMs: 10 };
  return {
    get startUpMs() {
      return timings.startUpMs;
    },
    get insertMs() {
      return timings.insertMs;
    },
    get checkpointMs() {
      return timings.checkpointMs;
    },
    get decodeMs() {
      return timings.decodeMs;
    },
    watch(run) {
      let sinceMs = performance.now();
      const lap = (): number => {
        const beforeMs = sinceMs;
        sinceMs = performance.now();
        return sinceMs - beforeMs;
      };
      run.onStep((step) => {
        if (step === 'start:done') timings.startUpMs = Math.min(timings.startUpMs, lap());
        else if (step === 'commit:begin') timings.decodeMs = lap();
        else if (step === 'commit:sealed') timings.insertMs = lap();
        else if (step === 'commit:done') timings.checkpointMs = lap();
      });
    },
  };
}
