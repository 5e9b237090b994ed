import { randomUUID } from 'node:crypto';
import type { Clock } from 'strata-kit/clock';
import type { AppDatabase } from '../database/tables.ts';
import { AppError } from '../errors.ts';

/** How many requests for a quote a caller has made, in the database: a restart forgets none. */
export interface Limits {
  /** Counts one. Errors: too_many_requests when there were `most` in the last 10 minutes, which is not counted. */
  take(caller: string, most: number): Promise<void>;
}

const WINDOW_MS = 600_000;

/** Calls come one after the other: see createDesk. */
export function createLimits(db: AppDatabase, clock: Clock): Limits {
  return {
    async take(caller, most) {
      const now = clock.nowMs();
      await db
        .deleteFrom('desk_calls')
        .where('at_ms', '<=', now - WINDOW_MS)
        .execute();
      const calls = await db
        .selectFrom('desk_calls')
        .select('at_ms')
        .where('caller', '=', caller)
        .orderBy('at_ms', 'desc')
        .limit(most)
        .execute();
      const oldest = calls[most - 1];
      if (oldest !== undefined) {
        const retryAfterSeconds = Math.max(1, Math.ceil((oldest.at_ms + WINDOW_MS - now) / 1_000));
        const who = caller.startsWith('ip/') ? 'a network address' : 'an account';
        const message = `${who} has at most ${most} requests for a quote in 10 minutes`;
        throw new AppError('too_many_requests', message, { retryAfterSeconds });
      }
      await db.insertInto('desk_calls').values({ id: randomUUID(), caller, at_ms: now }).execute();
    },
  };
}
