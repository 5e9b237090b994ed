import { appendFileSync, readFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';

/**
 * Writes what a test file cost: the CPU seconds of its process and of the children that it waited for, as Linux counts
 * them in /proc/self/stat. Registered first, so that it runs after the file's own clean-up. `cost-reporter.ts` reads the
 * lines. Elsewhere than on Linux it writes nothing.
 */

/** Clock ticks a second of /proc on Linux (USER_HZ), the same on every architecture that Node supports. */
const TICKS = 100;

const path = process.env.STRATA_TEST_COST_LINES;

if (path !== undefined && process.platform === 'linux') {
  afterAll(() => {
    const total = cpuSeconds();
    const { testPath } = expect.getState();
    const line = { file: testPath, cpuSeconds: total - (globalThis.strataCpuBefore ?? 0) };
    // a process that runs several files without isolation counts each from the end of the one before
    globalThis.strataCpuBefore = total;
    appendFileSync(path, `${JSON.stringify(line)}\n`);
  });
}

function cpuSeconds() {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // the second field is the command in brackets, which may hold spaces
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system, childrenUser, childrenSystem] = fields.slice(11, 15).map(Number);
  return (user + system + childrenUser + childrenSystem) / TICKS;
}
