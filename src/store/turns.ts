import { StrataError } from 'strata-kit/errors';

/** One task at a time, first come first served, with a bounded number waiting. */
export interface Turns {
  /** Errors: store_busy when too many wait, aborted when closed before its turn; else what the task throws. */
  run<T>(task: () => Promise<T>): Promise<T>;
  /** Waits for the task in hand; those that wait for their turn are rejected. */
  close(): Promise<void>;
}

export function createTurns(name: string, maxWaiting: number): Turns {
  let waiting = 0;
  let closed = false;
  let last: Promise<unknown> = Promise.resolve();

  const closedError = () => new StrataError('aborted', `The store session ${name} is closed`);

  return {
    async run(task) {
      if (closed) throw closedError();
      if (waiting >= maxWaiting) {
        throw new StrataError('store_busy', `${waiting} queries wait for the store session ${name}`, {
          retryable: true,
        });
      }
      waiting++;
      const turn = last.then(() => {
        waiting--;
        if (closed) throw closedError();
        return task();
      });
      last = turn.catch(() => undefined);
      return turn;
    },
    async close() {
      closed = true;
      await last;
    },
  };
}
