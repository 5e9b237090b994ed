/**
 * Shares the thread of the blocks among requests that look through much. They go on in slices: in each round of the event
 * loop one request has one, and clients take turns. A round costs blocks no more than a slice, however many ask.
 */
export interface Lane {
  /** Resolves when the client's slice begins. */
  turn(client: string): Promise<void>;
}

/** Of one request. */
export interface Slices {
  /** To be awaited between two steps of the work: undefined while the slice lasts, else the next one. */
  step(): Promise<void> | undefined;
}

const SLICE_MS = 5;

export function createLane(): Lane {
  /** By client; the first client has the next turn. */
  const queues = new Map<string, (() => void)[]>();

  function next(): void {
    for (const [client, queue] of queues) {
      const [first, ...rest] = queue;
      queues.delete(client);
      if (rest.length > 0) queues.set(client, rest);
      first?.();
      break;
    }
    if (queues.size > 0) setImmediate(next);
  }

  return {
    turn: (client) =>
      new Promise((resolve) => {
        if (queues.size === 0) setImmediate(next);
        const queue = queues.get(client);
        if (queue === undefined) queues.set(client, [resolve]);
        else queue.push(resolve);
      }),
  };
}

/** The first slice begins at once. `nowMs` never goes back. */
export function createSlices(
  lane: Lane,
  client: string,
  nowMs: () => number = () => performance.now(),
): Slices {
  let sinceMs = nowMs();
  async function turn(): Promise<void> {
    await lane.turn(client);
    sinceMs = nowMs();
  }
  return { step: () => (nowMs() - sinceMs < SLICE_MS ? undefined : turn()) };
}
