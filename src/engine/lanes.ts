import { type Deferred, deferred } from '../core/deferred.ts';
import { failure } from './failure.ts';

/**
 * A bounded number of statements at once, and a bounded number that wait. Writes have a lane of their own, so that they
 * never take the threads on which point reads run.
 */
export interface Lane {
  /** Resolves with what gives the place back. Errors: TOO_MANY_SIMULTANEOUS_QUERIES. */
  enter(): Promise<() => void>;
  readonly running: number;
  readonly waiting: number;
}

export function createLane(name: string, places: number, maxWaiting: number): Lane {
  const queue: Deferred<void>[] = [];
  let running = 0;

  function leave(): void {
    const next = queue.shift();
    if (next === undefined) running--;
    else next.resolve();
  }

  return {
    get running() {
      return running;
    },
    get waiting() {
      return queue.length;
    },
    async enter() {
      if (running < places) running++;
      else {
        if (queue.length >= maxWaiting) {
          throw failure(
            'TOO_MANY_SIMULTANEOUS_QUERIES',
            `Too many simultaneous queries: ${queue.length} ${name} wait for ${places} places`,
          );
        }
        const turn = deferred<void>();
        queue.push(turn);
        await turn.promise;
      }
      let held = true;
      return () => {
        if (held) leave();
        held = false;
      };
    },
  };
}
