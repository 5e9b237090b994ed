import { describe, expect, it } from 'vitest';
import { isStrataError } from '../../src/core/errors.ts';
import { indexInto, withFreshStore } from '../support/indexing.ts';
import { seededRandom } from '../support/random.ts';
import { printOf } from '../support/store-print.ts';

/** Stopped anywhere and started again: the store is the one that an undisturbed run makes. Kills: test/kill. */

describe('a run that is stopped', () => {
  it('at random heights resumes to the same store', async () => {
    const undisturbed = await withFreshStore(async (stores) => {
      await indexInto(stores);
      return printOf(stores);
    });
    const random = seededRandom(20_240_501);
    await withFreshStore(async (stores) => {
      for (let stops = 0; stops < 5; stops++) {
        const stop = new AbortController();
        let commitsLeft = random.between(1, 4);
        const options = {
          signal: stop.signal,
          rangeBlocks: random.between(1, 20),
          commitBlocks: random.between(1, 30),
          workers: random.between(1, 2),
        };
        await stopped(
          indexInto(stores, {
            ...options,
            onCommit: () => {
              if (--commitsLeft === 0) stop.abort();
            },
          }),
        );
      }
      await indexInto(stores);
      expect(await printOf(stores)).toEqual(undisturbed);
    });
  }, 180_000);
});

/** A run that ends early rejects with `aborted`, or ends well where it was about to. */
async function stopped(run: Promise<unknown>): Promise<void> {
  await run.catch((error: unknown) => {
    if (!isStrataError(error, 'aborted')) throw error;
  });
}
