import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** A bench process of its own that prints a line when it is ready. */
export interface Child {
  /** Its first line. */
  readonly ready: string;
  /** CPU that it has used so far, in seconds; NaN where the system does not tell. */
  cpuSeconds(): number;
  /** Ends it with SIGTERM. */
  stop(): Promise<void>;
}

export async function startChild(script: URL, args: readonly string[]): Promise<Child> {
  const child: ChildProcess = spawn(process.execPath, [script.pathname, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.stdout === null) throw new Error('no stdout');
  const reader = createInterface({ input: child.stdout });
  const [line] = (await Promise.race([
    once(reader, 'line'),
    once(child, 'exit').then(() => Promise.reject(new Error(`${script.pathname} ended early`))),
  ])) as [string];
  return {
    ready: line,
    cpuSeconds: () => cpuSecondsOf(child.pid ?? 0),
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Linux counts in hundredths of a second. */
const TICKS_PER_SECOND = 100;

/** Of a process, so far; NaN where the system does not report it. */
export function cpuSecondsOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return Number.NaN;
  }
}
