import { StrataError } from 'strata-kit/errors';
import type { RowBinary, Store } from '../store/store.ts';

/** A pool of reader sessions: a session runs one query at a time, so each query waits for a free one. */
export interface ReaderPool {
  /**
   * `deadlineMs` (of `nowMs`'s clock) bounds waiting and running: the engine stops the query there.
   * Errors: internal when too many queries wait or the deadline passed while waiting; those of Store.query.
   */
  query(sql: string, deadlineMs: number): Promise<RowBinary>;
}

export const OVERLOADED = 'overloaded';
export const DEADLINE_PASSED = 'deadline exceeded';

interface Waiting {
  run(reader: Store): void;
}

/** The caller keeps and closes the sessions. `maxWaiting` bounds the queue of queries that wait for a session. */
export function createReaderPool(
  readers: readonly Store[],
  nowMs: () => number,
  maxWaiting: number,
): ReaderPool {
  if (readers.length === 0) throw new StrataError('internal', 'a reader pool needs at least one session');
  const free = [...readers];
  const waiting: Waiting[] = [];

  const release = (reader: Store): void => {
    const next = waiting.shift();
    if (next === undefined) free.push(reader);
    else next.run(reader);
  };

  const runOn = async (reader: Store, sql: string, deadlineMs: number): Promise<RowBinary> => {
    try {
      const remainingMs = deadlineMs - nowMs();
      if (remainingMs <= 0) throw new StrataError('internal', DEADLINE_PASSED);
      return await reader.query(sql, { timeoutSeconds: Math.ceil(remainingMs / 1000) });
    } finally {
      release(reader);
    }
  };

  return {
    query: (sql, deadlineMs) => {
      const reader = free.pop();
      if (reader !== undefined) return runOn(reader, sql, deadlineMs);
      if (waiting.length >= maxWaiting) return Promise.reject(new StrataError('internal', OVERLOADED));
      return new Promise((resolve, reject) => {
        waiting.push({ run: (freed) => runOn(freed, sql, deadlineMs).then(resolve, reject) });
      });
    },
  };
}
