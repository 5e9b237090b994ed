/** Runs tasks one after another, so that what one of them writes and takes back is never mixed with another's. */
export interface SerialQueue {
  run<T>(task: () => T | Promise<T>): Promise<T>;
  /** Those that run or wait. */
  readonly size: number;
}

export function createQueue(): SerialQueue {
  let tail: Promise<unknown> = Promise.resolve();
  let size = 0;
  return {
    run(task) {
      size += 1;
      const run = tail.then(task).finally(() => {
        size -= 1;
      });
      // a failure is the caller's who asked for the task, not of those behind it
      tail = run.catch(() => undefined);
      return run;
    },
    get size() {
      return size;
    },
  };
}
