import { join } from 'node:path';
import { startChild } from '../../bench/support/child.ts';
import { startCommand } from '../support/command.ts';
import { type StorePrint, storePrint } from '../support/store-print.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { indexArguments, type KillCounts, killAtRandom } from './random-kills.ts';

export interface KillTest {
  readonly counts: KillCounts;
  /** Of the store whose process was killed, and of one that was let alone. */
  readonly killed: StorePrint;
  readonly undisturbed: StorePrint;
}

/** So many blocks that a run that is killed has not come to the end. */
const BLOCKS_BEFORE = 2_000;
const BLOCKS_A_KILL = 900;

/** Kills one backfill `kills` times, lets it come to its end, and makes the same store without a kill. */
export async function runKillTest(
  kills: number,
  seed: number,
  log: (line: string) => void,
): Promise<KillTest> {
  const toHeight = BLOCKS_BEFORE + kills * BLOCKS_A_KILL;
  const folder = await temporaryFolder();
  const script = new URL('../../dist/bench/support/stretched-node.js', import.meta.url);
  const node = await startChild(script, [`${toHeight}`]);
  try {
    const options = { rpcUrl: node.ready, toHeight };
    const data = join(folder.path, 'killed');
    const counts = await killAtRandom({ ...options, data, kills, seed, log });
    const prints: StorePrint[] = [];
    for (const name of ['killed', 'undisturbed']) {
      const { exitCode, stderr } = await startCommand(
        ...indexArguments({ ...options, data: join(folder.path, name) }),
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
