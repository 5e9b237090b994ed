/**
 * Shares the thread of the blocks among a server's requests. In each round of the event loop they have one slice together,
 * however many they are; what is left goes on in later rounds, and clients take turns. So a round costs blocks no more
 * than a slice and one step.
 */
export interface Lane {
  /** To be awaited between two steps of the work: undefined while the slice lasts, else the client's next one. */
  step(client: string): Promise<void> | undefined;
  /** Resolves when the client's slice begins. */
  turn(client: string): Promise<void>;
}

const SLICE_MS = 5;

/** `nowMs` never goes back. */
export function createLane(nowMs: () => number = () => performance.now()): Lane {
  /** By client; the first client has the next turn. */
  const queues = new Map<string, (() => void)[]>();
  /** Of this round's slice; undefined while it has not begun. */
  let sinceMs: number | undefined;

  function begin(): void {
    sinceMs = nowMs();
    setImmediate(next);
  }

  function next(): void {
    sinceMs = undefined;
    for (const [client, queue] of queues) {
      const [first, ...rest] = queue;
      queues.delete(client);
      if (rest.length > 0) queues.set(client, rest);
      begin();
      first?.();
      return;
    }
  }

  function turn(client: string): Promise<void> {
    return new Promise((resolve) => {
      if (sinceMs === undefined) begin();
      const queue = queues.get(client);
      if (queue === undefined) queues.set(client, [resolve]);
      else queue.push(resolve);
    });
  }

  return {
    turn,
    step(client) {
      if (sinceMs === undefined) begin();
      else if (nowMs() - sinceMs >= SLICE_MS) return turn(client);
      return undefined;
    },
  };
}
