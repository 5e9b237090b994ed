/** What a run of tests has come to. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
}

/**
 * Each test that failed, once: vitest's ` FAIL  file > name` and the first line of what it says of it. `limit` at most,
 * so that whoever sees the end of a long log alone sees them all.
 */
export function failuresOf(text: string, limit: number): readonly string[] {
  const lines = plainLines(text);
  const failures = new Map<string, string>();
  for (const [i, line] of lines.entries()) {
    const name = /^\s*FAIL\s+(.*\S)/.exec(line)?.[1];
    if (name === undefined || failures.has(name)) continue;
    const reason = lines.slice(i + 1).find((next) => next.trim() !== '' && !/^\s*FAIL\s/.test(next));
    failures.set(name, (reason ?? '').trim().slice(0, 300));
  }
  return [...failures].slice(0, limit).map(([name, reason]) => `${name}: ${reason}`);
}

/**
 * By the last summary that was printed: vitest's `Tests  1 failed | 231 passed (232)`, or `1 passed, 0 failed`. A run
 * that ended badly, or told no numbers, has one failure at least.
 */
export function outcomeOf(text: string, exitCode: number | null): Outcome {
  const summary =
    plainLines(text).findLast((line) => /^\s*Tests\s|^\d+ passed, \d+ failed$/.test(line)) ?? '';
  if (summary === '') return { passed: 0, failed: 1 };
  const count = (what: string): number => Number(new RegExp(`(\\d+) ${what}`).exec(summary)?.[1] ?? 0);
  const failed = count('failed');
  return { passed: count('passed'), failed: exitCode === 0 || failed > 0 ? failed : 1 };
}

function plainLines(text: string): readonly string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is taken out
  return text.replace(/\x1b\[[0-9;]*m/g, '').split('\n');
}
