import { createHash, randomBytes } from 'node:crypto';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from './errors.ts';

export interface Limit {
  /** Counts one request of `key`. Errors: AppError too_many_requests, with the time after which there is room again. */
  take(key: string): Promise<void>;
}

/** Keys share so many counters: memory stays bounded whoever asks, and hardly ever two share one. */
const COUNTERS = 65_536;

/** At most `count` requests of a key within `seconds` from its first. `what` completes "there are too many …". */
export function createLimit(what: string, count: number, seconds: number): Limit {
  const limiter = new RateLimiterMemory({ points: count, duration: seconds });
  // so that nobody can look for keys that share a counter with somebody else's
  const salt = randomBytes(16);
  return {
    async take(key) {
      const digest = createHash('sha256').update(salt).update(key).digest();
      try {
        await limiter.consume(digest.readUInt32BE(0) % COUNTERS);
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused;
        const retryAfterSeconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1_000));
        throw new AppError(
          'too_many_requests',
          `there are too many ${what}: at most ${count} in ${seconds} s`,
          {
            retryAfterSeconds,
          },
        );
      }
    },
  };
}
