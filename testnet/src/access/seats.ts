import type { ServerResponse } from 'node:http';
import { AppError } from '../errors.ts';

/** Runs at most `count` tasks of one client at once. Errors: AppError too_many_requests; those of the task. */
export function createSeats(count: number): <T>(client: string, task: () => Promise<T>) => Promise<T> {
  /** Only clients with a running task are here. */
  const taken = new Map<string, number>();
  return async (client, task) => {
    const mine = taken.get(client) ?? 0;
    if (mine >= count) {
      throw new AppError('too_many_requests', `at most ${count} queries of a client are answered at once`, {
        retryAfterSeconds: 1,
      });
    }
    taken.set(client, mine + 1);
    try {
      return await task();
    } finally {
      const left = (taken.get(client) ?? 1) - 1;
      if (left === 0) taken.delete(client);
      else taken.set(client, left);
    }
  };
}

/** Aborts when the client's connection ends before its answer. */
export function goneOf(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort(new AppError('unavailable', 'the client has gone'));
  });
  return gone.signal;
}
