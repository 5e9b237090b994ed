import { isStrataError } from 'strata-kit/errors';
import { describe, expect, it } from 'vitest';
import { indexInto, withFreshStore, withStore } from '../support/indexing.ts';
import { seededRandom } from '../support/random.ts';
import { printOf } from '../support/store-print.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { copyRecordedStore } from '../support/worlds.ts';

/** Stopped anywhere and started again: the store is the one that an undisturbed run makes. Kills: test/kill. */

describe('a run that is stopped', () => {
  it('at random heights resumes to the same store', async () => {
    const { path } = await temporaryFolder();
    await copyRecordedStore(`${path}/undisturbed`);
    const undisturbed = await withStore(`${path}/undisturbed`, printOf);
    const random = seededRandom(20_240_501);
    await withFreshStore(async (stores) => {
      for (let stops = 0; stops < 3; stops++) {
        const stop = new AbortController();
        let commitsLeft = random.between(1, 3);
        const options = {
          signal: stop.signal,
          rangeBlocks: random.between(5, 40),
          commitBlocks: random.between(20, 60),
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
