import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { BackfillRun } from './support/backfill-run.ts';
import { startChild } from './support/child.ts';
import { makeCorpus } from './support/corpus.ts';
import type { DeriveRun } from './support/derive-run.ts';
import { benchFolder } from './support/folders.ts';
import type { ReindexRun } from './support/reindex-run.ts';
import type { Figure } from './support/report.ts';

/**
 * What the modules cost: a backfill of a corpus of mixed txs with all of them against one with none, one after the
 * other and in turns, from a node that serves the corpus from memory. `folder`: a corpus that is there; made otherwise.
 */
export async function benchModules(
  blocks: number,
  workers: number,
  turns: number,
  folder: string | undefined,
): Promise<Figure[]> {
  const corpus = folder ?? (await makeCorpus(blocks));
  const node = await startChild(new URL('./support/corpus-node.js', import.meta.url), [
    corpus,
    String(blocks),
  ]);
  const seconds = { on: [] as number[], off: [] as number[] };
  const cpu = { on: [] as number[], off: [] as number[] };
  try {
    for (let turn = 0; turn < turns; turn++) {
      for (const modules of ['off', 'on'] as const) {
        const run = await runBackfill(node.ready, blocks, workers, modules);
        seconds[modules].push(run.seconds);
        cpu[modules].push(run.cpuSeconds);
      }
    }
  } finally {
    await node.stop();
  }
  const derive = JSON.parse(await runScript('derive-run', corpus, String(blocks))) as DeriveRun;
  const ratios = seconds.on.map((on, turn) => on / (seconds.off[turn] ?? on));
  return [
    {
      name: `backfill of ${blocks} mixed blocks, no modules`,
      value: blocks / least(seconds.off),
      unit: 'blocks/s',
    },
    {
      name: `backfill of ${blocks} mixed blocks, all modules`,
      value: blocks / least(seconds.on),
      unit: 'blocks/s',
    },
    { name: 'all modules ÷ none, wall time, median', value: median(ratios), unit: 'ratio', aim: '≤ 1.18' },
    { name: 'all modules ÷ none, CPU', value: least(cpu.on) / least(cpu.off), unit: 'ratio' },
    { name: 'an event, derived, CPU', value: (derive.deriveMs * 1000) / derive.events, unit: 'µs' },
    { name: 'derive ÷ decode, CPU of one thread', value: derive.deriveMs / derive.decodeMs, unit: 'ratio' },
    { name: "modules' rows an event", value: derive.rows / derive.events, unit: 'rows' },
    {
      name: "modules' Native ÷ the base layer's",
      value: derive.nativeBytes / derive.decodedBytes,
      unit: 'ratio',
    },
  ];
}

/**
 * How fast modules are derived again from a store against the backfill that filled it, one after the other and in turns.
 * `folder`: as of benchModules.
 */
export async function benchReindex(
  blocks: number,
  workers: number,
  turns: number,
  folder: string | undefined,
): Promise<Figure[]> {
  const corpus = folder ?? (await makeCorpus(blocks));
  const node = await startChild(new URL('./support/corpus-node.js', import.meta.url), [
    corpus,
    String(blocks),
  ]);
  const backfills: BackfillRun[] = [];
  const reindexes: ReindexRun[] = [];
  try {
    for (let turn = 0; turn < turns; turn++) {
      const data = benchFolder();
      backfills.push(await runBackfill(node.ready, blocks, workers, 'on', data));
      reindexes.push(await runReindex(data));
    }
  } finally {
    await node.stop();
  }
  const ratios = reindexes.map(({ seconds }, turn) => (backfills[turn]?.seconds ?? seconds) / seconds);
  const [first] = reindexes;
  return [
    {
      name: `backfill of ${blocks} mixed blocks, all modules`,
      value: blocks / least(backfills.map(({ seconds }) => seconds)),
      unit: 'blocks/s',
    },
    {
      name: `reindex of ${blocks} mixed blocks, ${first?.events ?? 0} events`,
      value: blocks / least(reindexes.map(({ seconds }) => seconds)),
      unit: 'blocks/s',
    },
    { name: 'reindex ÷ backfill, blocks/s, median', value: median(ratios), unit: 'ratio', aim: '≥ 5' },
    {
      name: 'reindex, CPU of the whole process',
      value: least(reindexes.map(({ cpuSeconds }) => cpuSeconds)) / (blocks / 1_000),
      unit: 's/1,000 blocks',
    },
    {
      name: 'reindex, peak memory',
      value: Math.max(...reindexes.map(({ peakRssBytes }) => peakRssBytes)) / 1e6,
      unit: 'MB',
    },
  ];
}

async function runReindex(data: string): Promise<ReindexRun> {
  return JSON.parse(await runScript('reindex-run', data)) as ReindexRun;
}

async function runScript(name: string, ...args: readonly string[]): Promise<string> {
  const script = new URL(`./support/${name}.js`, import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args], { maxBuffer: 1 << 24 });
  return stdout;
}

async function runBackfill(
  url: string,
  blocks: number,
  workers: number,
  modules: 'on' | 'off',
  data = benchFolder(),
): Promise<BackfillRun> {
  return JSON.parse(
    await runScript('backfill-run', url, String(blocks), String(workers), data, modules),
  ) as BackfillRun;
}

function least(values: readonly number[]): number {
  return Math.min(...values);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
