/** What `strata doctor` has looked at, one each, with what to do where something is wrong. */
export interface Finding {
  /** `node`, `store`, `disk`, … */
  readonly check: string;
  /** Which one: a node's URL, a folder. */
  readonly subject: string;
  readonly level: 'ok' | 'warning' | 'problem';
  readonly text: string;
  /** Empty where there is nothing to do. */
  readonly remedy: string;
}

export type Report = (level: Finding['level'], text: string, remedy?: string) => Finding;

/** Findings of one check about one thing. */
export function about(check: string, subject: string): Report {
  return (level, text, remedy = '') => ({ check, subject, level, text, remedy });
}

const MARKS: Readonly<Record<Finding['level'], string>> = { ok: '✓', warning: '!', problem: '✗' };

/** A line each, in columns, and below it what to do. */
export function formatFindings(findings: readonly Finding[]): string[] {
  const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map((text) => text.length));
  const checkWidth = widest(findings.map(({ check }) => check));
  const subjectWidth = widest(findings.map(({ subject }) => subject));
  return findings.flatMap(({ check, subject, level, text, remedy }) => {
    const line = `${MARKS[level]} ${check.padEnd(checkWidth)}  ${subject.padEnd(subjectWidth)}  ${text}`;
    return remedy === '' ? [line] : [line, `    → ${remedy}`];
  });
}
