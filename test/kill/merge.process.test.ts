import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { startReplay } from '../../src/chain/replay/server.ts';
import { HEIGHT_TABLES } from '../../src/store/repair.ts';
import { identifier } from '../../src/store/sql.ts';
import type { StoreFactory } from '../../src/store/store.ts';
import { killCommands, startTracedWith } from '../support/command.ts';
import { indexInto, withFreshStore, withStore } from '../support/indexing.ts';
import { recordedCapture } from '../support/recorded-capture.ts';
import { printOf } from '../support/store-print.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { hasNew, unfinishedMerges } from './part-folders.ts';

/** Merges run beside the writer: a moment in one is waited for and not named. They are slowed down to be seen. */

/** A merge may end between the look and the signal. */
const ATTEMPTS = 10;

afterAll(killCommands);

it('a process that is killed during a merge goes on to the undisturbed store', async () => {
  const folder = await temporaryFolder();
  // a run against a node does not end, so that a merge has its time
  const capture = await recordedCapture();
  const node = await startReplay({ capture, host: '127.0.0.1', port: 0 });
  try {
    await withStore(folder.path, slowMerges);
    let isKilled = false;
    for (let attempt = 0; !isKilled; attempt++) {
      expect(attempt).toBeLessThan(ATTEMPTS);
      isKilled = await killDuringMerge(folder.path, node.url);
    }
    const killed = await withStore(folder.path, async (stores) => {
      await indexInto(stores);
      return printOf(stores);
    });
    const undisturbed = await withFreshStore(async (stores) => {
      await indexInto(stores);
      return printOf(stores);
    });
    expect(killed).toEqual(undisturbed);
  } finally {
    await node.close();
    await folder.remove();
  }
}, 300_000);

/** Merges of this store's tables go row by row from now on, and two parts are enough for one. */
async function slowMerges(stores: StoreFactory): Promise<void> {
  await indexInto(stores, { toHeight: 3 });
  const store = await stores.open('settings');
  for (const table of HEIGHT_TABLES) {
    await store.command(
      `ALTER TABLE ${identifier(table)} MODIFY SETTING merge_max_block_size = 1, min_age_to_force_merge_seconds = 1`,
    );
  }
  await store.close();
}

/** Kills a run of many small commits at the first merge that is seen; whether the merge was still at work. */
async function killDuringMerge(data: string, rpcUrl: string): Promise<boolean> {
  const before = unfinishedMerges(data);
  const small = { STRATA_TEST_RANGE_BLOCKS: '3', STRATA_TEST_COMMIT_BLOCKS: '3' };
  const run = startTracedWith(small, undefined, 'index', '--rpc', rpcUrl, '--data', data);
  let hasEnded = false;
  void run.ended.then(() => {
    hasEnded = true;
  });
  while (!hasEnded && !hasNew(unfinishedMerges(data), before)) await sleep(1);
  const { signal, stderr } = await run.stop('SIGKILL');
  expect(signal, stderr).toBe('SIGKILL');
  return hasNew(unfinishedMerges(data), before);
}
