import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { RowReader } from '../../src/core/rowbinary.ts';
import type { Store } from '../../src/store/store.ts';

/** CPU of this process in milliseconds: all of it, and what the engine's merges used. */
export interface EngineCpu {
  readonly allMs: number;
  readonly mergeMs: number;
}

export function engineCpu(): EngineCpu {
  const { user, system } = process.cpuUsage();
  return { allMs: (user + system) / 1e3, mergeMs: mergeThreadsMs() };
}

/** Linux counts in hundredths of a second; elsewhere merges are not told apart. */
const MS_PER_TICK = 10;

/** The engine names the threads of its merge pool, and keeps them. */
function mergeThreadsMs(): number {
  if (process.platform !== 'linux') return 0;
  let ticks = 0;
  for (const thread of readdirSync('/proc/self/task')) {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'latin1');
    const end = stat.lastIndexOf(')');
    if (!stat.slice(stat.indexOf('(') + 1, end).startsWith('MergeMutate')) continue;
    const fields = stat.slice(end + 2).split(' ');
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks * MS_PER_TICK;
}

/** What the process uses when nothing is asked of it, in milliseconds of CPU a second. */
export async function idleMsPerSecond(seconds: number): Promise<number> {
  const before = engineCpu().allMs;
  await sleep(seconds * 1000);
  return (engineCpu().allMs - before) / seconds;
}

const QUIET_MS = 3_000;
const POLL_MS = 250;

/** Resolves when no merge has run and no part has come or gone for 3 s. */
export async function untilMerged(store: Store): Promise<void> {
  let seen = '';
  let quietSinceMs = performance.now();
  while (performance.now() - quietSinceMs < QUIET_MS) {
    await sleep(POLL_MS);
    const merges = new RowReader(await store.query('SELECT count() FROM system.merges')).u64();
    const parts = new RowReader(
      await store.query('SELECT count(), max(level) FROM system.parts WHERE active'),
    );
    const now = `${merges} ${parts.u64()} ${parts.u32()}`;
    if (merges === 0 && now === seen) continue;
    seen = now;
    quietSinceMs = performance.now();
  }
}
