import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { DecodedRange } from '../src/decode/range.ts';
import { MODULES } from '../src/modules/modules.ts';
import { createBatches } from '../src/pipeline/batches.ts';
import { createDeriveStage } from '../src/pipeline/derive-stage.ts';
import { WRITER_SESSIONS } from '../src/pipeline/insert-files.ts';
import type { Store } from '../src/store/store.ts';
import { runBackfill, startNode } from './backfill.ts';
import type { BackfillRun } from './support/backfill-run.ts';
import { benchFolder } from './support/folders.ts';
import { COMMIT_LIMITS } from './support/indexing.ts';
import { decodeRanges } from './support/ready-commits.ts';
import type { Figure } from './support/report.ts';
import { threadCpu } from './support/thread-cpu.ts';

/** CPU of a block by stage, in milliseconds. Each but `decode` runs on one thread, or on WRITER_SESSIONS of them. */
interface StageCosts {
  readonly main: number;
  readonly writer: number;
  /** Of the threads that insert. */
  readonly insert: number;
  /** The engine's other threads. */
  readonly merge: number;
  /** Decode workers, and garbage collection of every thread. */
  readonly decode: number;
}

const PREDICTED_CORES = [4, 8, 16, 32];
/** Long enough that inserting is what a backfill waits for. */
const SLOW_INSERT_MS = 400;
/** Decoded blocks are held in memory. */
const WRITER_BLOCKS = 4_008;

/**
 * A model of the backfill on more cores than there are here: each stage's CPU a block, measured in one run; a stage is
 * saturated when its threads are busy all the time, and the slowest stage sets the speed. The model is compared with
 * runs on one core and on all, and with one whose inserts are made slower.
 */
export async function benchScale(blocks: number): Promise<Figure[]> {
  const cores = availableParallelism();
  const node = await startNode(blocks, 'recorded');
  try {
    const writer = await writerCpuMs(await decodeRanges(node.ready, Math.min(blocks, WRITER_BLOCKS)));
    const all = await runBackfill(node.ready, blocks, cores);
    const costs = costsOf(all, blocks, writer);
    const one = await runBackfill(node.ready, blocks, 1, { cores: 1 });
    const slow = await runBackfill(node.ready, blocks, cores, { slowInsertMs: SLOW_INSERT_MS });
    const slowSeconds =
      (slow.inserts * SLOW_INSERT_MS) / 1_000 / WRITER_SESSIONS +
      (costs.insert * blocks) / 1_000 / WRITER_SESSIONS;
    return [
      ...Object.entries(costs).map(([stage, ms]) => ({
        name: `scale: CPU a block, ${stage}`,
        value: ms,
        unit: 'ms',
      })),
      compared(`on ${cores} cores`, blocks / all.seconds, speedOf(costs, cores)),
      compared('on 1 core', blocks / one.seconds, speedOf(costs, 1)),
      compared(`inserts ${SLOW_INSERT_MS} ms slower`, blocks / slow.seconds, blocks / slowSeconds),
      ...PREDICTED_CORES.map((count) => ({
        name: `scale: ${count} cores, predicted; ${slowestStage(costs, count)} is the limit`,
        value: speedOf(costs, count),
        unit: 'blocks/s',
      })),
    ];
  } finally {
    await node.stop();
  }
}

function compared(what: string, measured: number, predicted: number): Figure {
  return { name: `scale: ${what}, measured ÷ predicted`, value: measured / predicted, unit: 'ratio' };
}

function costsOf({ threads }: BackfillRun, blocks: number, writer: number): StageCosts {
  const perBlock = (seconds: number) => (seconds * 1_000) / blocks;
  const rest = threads.all - threads.main - threads.queries - threads.engine;
  return {
    main: perBlock(threads.main),
    writer,
    insert: perBlock(threads.queries),
    merge: perBlock(threads.engine),
    decode: perBlock(rest) - writer,
  };
}

/** Milliseconds a block of the busiest thread of each stage, and of all cores together. */
function loads(costs: StageCosts, cores: number): ReadonlyMap<string, number> {
  const all = Object.values(costs).reduce((sum, each) => sum + each, 0);
  return new Map([
    ['all cores', all / cores],
    ['decode', costs.decode / cores],
    ['main', costs.main],
    ['writer', costs.writer],
    ['insert', costs.insert / WRITER_SESSIONS],
  ]);
}

function slowestStage(costs: StageCosts, cores: number): string {
  return [...loads(costs, cores)].reduce((most, each) => (each[1] > most[1] ? each : most))[0];
}

/** Blocks/s. */
function speedOf(costs: StageCosts, cores: number): number {
  return 1_000 / Math.max(...loads(costs, cores).values());
}

/** CPU of the writer's thread a block, without its statements, in milliseconds. */
async function writerCpuMs(ranges: readonly DecodedRange[]): Promise<number> {
  const spoolFolder = join(benchFolder(), 'spool');
  mkdirSync(spoolFolder, { recursive: true });
  const derive = createDeriveStage(NO_STORE, {
    derivations: MODULES.flatMap(({ derivation }) => derivation ?? []),
    parameters: { namespace: '' },
  });
  const batches = createBatches(spoolFolder, COMMIT_LIMITS);
  const before = threadCpu();
  for (const range of ranges) {
    batches.add(range, derive.derive(range));
    const due = batches.takeDue();
    await due?.spool.seal();
    due?.spool.remove();
  }
  const after = threadCpu();
  const blocks = ranges.reduce((sum, { headers }) => sum + headers.length, 0);
  return ((after.main - before.main) * 1_000) / blocks;
}

/** Nothing is asked of it: the stage is not opened. */
const NO_STORE: Store = {
  name: 'none',
  query: () => Promise.reject(new Error('no store')),
  command: () => Promise.reject(new Error('no store')),
  insertNativeFiles: () => Promise.reject(new Error('no store')),
  close: async () => undefined,
};
