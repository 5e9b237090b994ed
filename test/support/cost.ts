/** What a test file took: `cpuSeconds` of its process and its children, `wallSeconds` from its set-up to its end. */
export interface FileCost {
  /** From the root of the project. */
  readonly file: string;
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
}

/** The `limit` dearest, one a line under a head, with the sum over all. */
export function costTable(costs: readonly FileCost[], limit: number): string {
  const sum = costs.reduce((total, { cpuSeconds }) => total + cpuSeconds, 0);
  const rows = [...costs]
    .sort((a, b) => b.cpuSeconds - a.cpuSeconds)
    .slice(0, limit)
    .map(({ file, cpuSeconds, wallSeconds }) =>
      [cpuSeconds.toFixed(1).padStart(7), wallSeconds.toFixed(1).padStart(7), ` ${file}`].join(' '),
    );
  return [`  CPU s  wall s  file (${costs.length} files, ${sum.toFixed(0)} CPU s)`, ...rows].join('\n');
}
