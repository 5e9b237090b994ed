import type { Caller } from 'strata-kit/http/caller';
import { SimulationStop } from './stop.ts';

/** The process itself. */
export const NOBODY: Caller = { client: '', signal: undefined };

export interface TurnsOptions<I, O> {
  /** Tasks that run at once. */
  readonly places: number;
  /** In the queue, of all clients and of one. */
  readonly maxWaiting: number;
  readonly maxWaitingOfOne: number;
  readonly waitMs: number;
  /** `result` settles when the place is free again; `cancel` asks the task to end early. */
  readonly start: (input: I) => { readonly result: Promise<O>; readonly cancel: () => void };
}

export interface Turns<I, O> {
  /** Errors: SimulationStop busy and cancelled, and those of the task. */
  run(input: I, caller: Caller): Promise<O>;
  /** Cancels what waits and what runs. */
  close(): void;
}

interface Waiting {
  begin(): Promise<void>;
  end(reason: 'busy' | 'cancelled'): void;
}

/** Runs a bounded number of tasks at once. Clients that wait take turns, in the order in which they came. */
export function createTurns<I, O>(options: TurnsOptions<I, O>): Turns<I, O> {
  const { places, maxWaiting, maxWaitingOfOne, waitMs, start } = options;
  /** By client; the first client has the next turn. */
  const queues = new Map<string, Waiting[]>();
  const running = new Set<() => void>();
  let waiting = 0;
  let busy = 0;

  function remove(client: string, one: Waiting): void {
    const queue = queues.get(client) ?? [];
    const at = queue.indexOf(one);
    if (at < 0) return;
    queue.splice(at, 1);
    waiting -= 1;
    if (queue.length === 0) queues.delete(client);
  }

  function next(): void {
    for (const [client, queue] of queues) {
      if (busy >= places) return;
      const [first] = queue;
      if (first === undefined) continue;
      remove(client, first);
      // its other requests wait for a turn of every other client
      if (queue.length > 0) {
        queues.delete(client);
        queues.set(client, queue);
      }
      busy += 1;
      void first.begin().finally(() => {
        busy -= 1;
        next();
      });
    }
  }

  /** In a full queue the client that waits with most tasks loses its newest one to a client with fewer. */
  function makeRoom(count: number): boolean {
    if (waiting < maxWaiting) return true;
    let longest: Waiting[] = [];
    for (const queue of queues.values()) if (queue.length > longest.length) longest = queue;
    // the newcomer would have as many otherwise: the two would push each other out
    if (longest.length <= count + 1) return false;
    longest.at(-1)?.end('busy');
    return true;
  }

  return {
    run(input, { client, signal }) {
      if (signal?.aborted === true) return Promise.reject(new SimulationStop('cancelled'));
      const queue = queues.get(client) ?? [];
      if (queue.length >= maxWaitingOfOne || !makeRoom(queue.length)) {
        return Promise.reject(new SimulationStop('busy'));
      }
      return new Promise<O>((resolve, reject) => {
        let leave = () => {};
        const giveUp = (reason: 'busy' | 'cancelled') => {
          remove(client, one);
          leave();
          reject(new SimulationStop(reason));
        };
        const late = setTimeout(() => giveUp('busy'), waitMs);
        const gone = () => giveUp('cancelled');
        signal?.addEventListener('abort', gone);
        leave = () => {
          clearTimeout(late);
          signal?.removeEventListener('abort', gone);
        };
        const one: Waiting = {
          async begin() {
            leave();
            const { result, cancel } = start(input);
            const stop = () => {
              cancel();
              reject(new SimulationStop('cancelled'));
            };
            running.add(stop);
            signal?.addEventListener('abort', stop);
            // whoever gave up has its answer; the place stays taken until the task has ended
            await result.then(resolve, reject);
            running.delete(stop);
            signal?.removeEventListener('abort', stop);
          },
          end: giveUp,
        };
        queue.push(one);
        queues.set(client, queue);
        waiting += 1;
        next();
      });
    },
    close() {
      for (const queue of [...queues.values()]) for (const one of [...queue]) one.end('cancelled');
      for (const stop of [...running]) stop();
    },
  };
}
