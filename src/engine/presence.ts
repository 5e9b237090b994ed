import type { EventEmitter } from 'node:events';

/**
 * A signal for each request that aborts when its client goes away or the process stops. None is tied to a signal that
 * outlives the request: what AbortSignal.any keeps for such a one is never freed by Node 20.
 */
export interface Presence {
  /** For the time until the response is closed. */
  follow(response: EventEmitter & { readonly writableFinished: boolean }): AbortSignal;
  abortAll(): void;
  readonly size: number;
}

export function createPresence(): Presence {
  const present = new Set<AbortController>();
  return {
    follow(response) {
      const gone = new AbortController();
      present.add(gone);
      response.once('close', () => {
        present.delete(gone);
        if (!response.writableFinished) gone.abort();
      });
      return gone.signal;
    },
    abortAll() {
      for (const gone of present) gone.abort();
    },
    get size() {
      return present.size;
    },
  };
}
