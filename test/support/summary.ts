/** What a run of tests has come to. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
}

/** Of a failure that is told whole: a process's last lines, or a difference. */
const MAX_LINES = 30;
const MAX_LINE_CHARS = 300;

/**
 * Each test that failed, once: vitest's ` FAIL  file > name` and what it says of it, down to where in the test it was.
 * `limit` at most, the first `whole` of them with all their lines and the others with the first, so that whoever sees
 * the end of a long log alone sees them all.
 */
export function failuresOf(text: string, limit: number, whole = 0): readonly string[] {
  const lines = plainLines(text);
  const failures = new Map<string, readonly string[]>();
  for (const [i, line] of lines.entries()) {
    const name = /^\s*FAIL\s+(.*\S)/.exec(line)?.[1];
    if (name === undefined || failures.has(name)) continue;
    const start = lines.findIndex((next, k) => k > i && next.trim() !== '' && !isFailure(next));
    failures.set(name, start < 0 ? [] : reasonFrom(lines, start));
  }
  return [...failures].slice(0, limit).map(([name, reason], i) => {
    const told = reason.slice(0, i < whole ? MAX_LINES : 1);
    return `${name}: ${told.map((line) => line.trimEnd().slice(0, MAX_LINE_CHARS)).join('\n    ')}`;
  });
}

/** What is told from a line on, up to where in the test it was, or to the next failure. */
function reasonFrom(lines: readonly string[], start: number): readonly string[] {
  const length = lines.slice(start).findIndex((line) => isFailure(line) || isPlace(line));
  const end = length < 0 ? lines.length : start + length + (isPlace(lines[start + length]) ? 1 : 0);
  return lines.slice(start, end).filter((line) => line.trim() !== '');
}

const isFailure = (line: string): boolean => /^\s*FAIL\s/.test(line);
const isPlace = (line: string | undefined): boolean => line !== undefined && /^\s*❯\s/.test(line);

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
