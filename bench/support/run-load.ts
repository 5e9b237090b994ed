import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { LoadPlan, LoadResult } from './load.ts';

/** Runs bench/support/load.ts in a process of its own. */
export async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  const folder = await mkdtemp(join(tmpdir(), 'strata-load-'));
  try {
    const file = join(folder, 'plan.json');
    await writeFile(file, JSON.stringify(plan));
    const script = new URL('./load.js', import.meta.url).pathname;
    const { stdout } = await promisify(execFile)(process.execPath, [script, file]);
    return JSON.parse(stdout) as LoadResult;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
