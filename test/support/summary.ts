/** What a run of tests has come to. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
}

/**
 * By the last summary that was printed: vitest's `Tests  1 failed | 231 passed (232)`, or `1 passed, 0 failed`. A run
 * that ended badly, or told no numbers, has one failure at least.
 */
export function outcomeOf(text: string, exitCode: number | null): Outcome {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is taken out
  const lines = text.replace(/\x1b\[[0-9;]*m/g, '').split('\n');
  const summary = lines.findLast((line) => /^\s*Tests\s|^\d+ passed, \d+ failed$/.test(line)) ?? '';
  if (summary === '') return { passed: 0, failed: 1 };
  const count = (what: string): number => Number(new RegExp(`(\\d+) ${what}`).exec(summary)?.[1] ?? 0);
  const failed = count('failed');
  return { passed: count('passed'), failed: exitCode === 0 || failed > 0 ? failed : 1 };
}
