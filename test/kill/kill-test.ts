import { join } from 'node:path';
import { startChild } from '../../bench/support/child.ts';
import { readCheckpoint } from '../../src/store/checkpoints.ts';
import { startCommand } from '../support/command.ts';
import { withStore } from '../support/indexing.ts';
import { type StorePrint, storePrint } from '../support/store-print.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { indexArguments, type KillCounts, killAtRandom } from './random-kills.ts';

export interface KillTest {
  readonly counts: KillCounts;
  /** Of the store whose process was killed, and of one that was let alone. */
  readonly killed: StorePrint;
  readonly undisturbed: StorePrint;
}

/** What a run may index before it is killed; it is some hundreds, as a rule. */
const BLOCKS_A_KILL = 5_000;
/** The chain's end is put so far behind the last commit. */
const BLOCKS_AFTER = 1_000;

/** Kills one backfill `kills` times, lets it come to its end, and makes the same store without a kill. */
export async function runKillTest(
  kills: number,
  seed: number,
  log: (line: string) => void,
): Promise<KillTest> {
  const chainHeight = (kills + 1) * BLOCKS_A_KILL;
  const folder = await temporaryFolder();
  const script = new URL('../../dist/bench/support/stretched-node.js', import.meta.url);
  const node = await startChild(script, [`${chainHeight}`]);
  try {
    const rpcUrl = node.ready;
    const data = join(folder.path, 'killed');
    const counts = await killAtRandom({ rpcUrl, toHeight: chainHeight, data, kills, seed, log });
    const toHeight = (await committedHeight(data)) + BLOCKS_AFTER;
    const prints: StorePrint[] = [];
    for (const name of ['killed', 'undisturbed']) {
      const { exitCode, stderr } = await startCommand(
        ...indexArguments({ rpcUrl, toHeight, data: join(folder.path, name) }),
      ).ended;
      if (exitCode !== 0) throw new Error(`the ${name} run ended with ${exitCode}:\n${stderr}`);
      prints.push(await storePrint(join(folder.path, name)));
    }
    const [killed, undisturbed] = prints;
    if (killed === undefined || undisturbed === undefined) throw new Error('no prints');
    return { counts, killed, undisturbed };
  } finally {
    await node.stop();
    await folder.remove();
  }
}

function committedHeight(data: string): Promise<number> {
  return withStore(data, async (stores) => {
    const store = await stores.open('height');
    const checkpoint = await readCheckpoint(store);
    await store.close();
    return checkpoint?.height ?? 0;
  });
}
