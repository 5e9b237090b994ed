import { join } from 'node:path';
import { startChild } from '../../bench/support/child.ts';
import { openCapture } from '../../src/chain/capture/reader.ts';
import { startReplay } from '../../src/chain/replay/server.ts';
import { readCheckpoint } from '../../src/store/checkpoints.ts';
import { runCommand, startWith } from '../support/command.ts';
import { withStore } from '../support/indexing.ts';
import { type StorePrint, storePrint } from '../support/store-print.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import {
  indexArguments,
  indexVariables,
  type KillCounts,
  type Killing,
  killAtRandom,
} from './random-kills.ts';

export interface KillTest {
  readonly counts: KillCounts;
  /** Of the store whose process was killed, and of one that was let alone. */
  readonly killed: StorePrint;
  readonly undisturbed: StorePrint;
}

/** What a run may index before it is killed; it is some hundreds, as a rule. */
const BLOCKS_A_KILL = 2_000;
/** Of blocks that take more to decode, in smaller commits. */
const MODULE_BLOCKS_A_KILL = 240;
/** The chain ends so far after the last commit. */
const BLOCKS_AFTER = 100;

/** Kills one backfill of the recorded chain, made long, `kills` times; see killAndCompare. */
export async function runKillTest(
  kills: number,
  seed: number,
  log: (line: string) => void,
): Promise<KillTest> {
  const chainHeight = (kills + 1) * BLOCKS_A_KILL;
  const script = new URL('../../dist/bench/support/stretched-node.js', import.meta.url);
  const node = await startChild(script, [`${chainHeight}`]);
  try {
    const limits = { commitBlocks: 60, memoryMb: 8 };
    return await killAndCompare({ rpcUrl: node.ready, chainHeight, kills, seed, log, ...limits });
  } finally {
    await node.stop();
  }
}

/** The same with a chain of the reference chain's workload, which has rows in every table, the modules' too. */
export async function runModuleKillTest(
  kills: number,
  seed: number,
  log: (line: string) => void,
): Promise<KillTest> {
  const chainHeight = (kills + 1) * MODULE_BLOCKS_A_KILL;
  const folder = await temporaryFolder();
  try {
    const chain = join(folder.path, 'chain');
    await makeCorpus(chain, chainHeight, seed);
    const node = await startReplay({ capture: await openCapture(chain), host: '127.0.0.1', port: 0 });
    try {
      const limits = { commitBlocks: 30, memoryMb: 8 };
      return await killAndCompare({ rpcUrl: node.url, chainHeight, kills, seed, log, ...limits });
    } finally {
      await node.close();
    }
  } finally {
    await folder.remove();
  }
}

/** The reference chain with its workload, as a capture. */
export async function makeCorpus(out: string, blocks: number, seed: number, txsPerBlock = 8): Promise<void> {
  const size = ['--blocks', `${blocks}`, '--txs-per-block', `${txsPerBlock}`, '--seed', `${seed}`];
  const { exitCode, stderr } = await runCommand('corpus', ...size, '--out', out);
  if (exitCode !== 0) throw new Error(`no corpus:\n${stderr}`);
}

interface Comparison extends Omit<Killing, 'data' | 'toHeight'> {
  readonly chainHeight: number;
}

/** Kills one backfill `kills` times, lets it come to its end, and makes the same store without a kill. */
async function killAndCompare({ chainHeight, ...killing }: Comparison): Promise<KillTest> {
  const folder = await temporaryFolder();
  try {
    const data = join(folder.path, 'killed');
    const counts = await killAtRandom({ ...killing, toHeight: chainHeight, data });
    const toHeight = Math.min(chainHeight, (await committedHeight(data)) + BLOCKS_AFTER);
    const prints: StorePrint[] = [];
    for (const name of ['killed', 'undisturbed']) {
      const { exitCode, stderr } = await startWith(
        indexVariables(killing),
        ...indexArguments({ ...killing, toHeight, data: join(folder.path, name) }),
      ).ended;
      if (exitCode !== 0) throw new Error(`the ${name} run ended with ${exitCode}:\n${stderr}`);
      prints.push(await storePrint(join(folder.path, name)));
    }
    const [killed, undisturbed] = prints;
    if (killed === undefined || undisturbed === undefined) throw new Error('no prints');
    return { counts, killed, undisturbed };
  } finally {
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
