import { backoffMs } from 'strata-kit/backoff';
import { type Clock, systemClock } from 'strata-kit/clock';
import { StrataError } from 'strata-kit/errors';
import { type BlockText, splitRange } from './envelope.ts';
import type { BlockSource } from './source.ts';

const ATTEMPTS = 6;
const BACKOFF = { firstMs: 250, maxMs: 8_000 };

/**
 * Fetches a range and cuts it into blocks. Bytes that cannot be used are reported and fetched again, ATTEMPTS times at
 * most. Errors: those of the source, and of splitRange in the end.
 */
export async function readBlocks(
  source: BlockSource,
  fromHeight: number,
  toHeight: number,
  signal?: AbortSignal,
  clock: Clock = systemClock,
): Promise<BlockText[]> {
  for (let attempt = 1; ; attempt++) {
    const range = await source.fetch(fromHeight, toHeight, signal);
    try {
      return splitRange(range);
    } catch (error) {
      if (!(error instanceof StrataError)) throw error;
      source.reportBad(range, error);
      if (attempt === ATTEMPTS) throw error;
      await clock.sleep(backoffMs(BACKOFF, attempt), signal);
    }
  }
}
