import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A bench process of its own that prints a line when it is ready. */
export interface Child {
  /** Its first line. */
  readonly ready: string;
  /** Ends it with SIGTERM; its last line. */
  stop(): Promise<string>;
}

export async function startChild(script: URL, args: readonly string[]): Promise<Child> {
  const child: ChildProcess = spawn(process.execPath, [script.pathname, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.stdout === null) throw new Error('no stdout');
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => lines.push(line));
  await Promise.race([
    once(reader, 'line'),
    once(child, 'exit').then(() => Promise.reject(new Error(`${script.pathname} ended early`))),
  ]);
  return {
    ready: lines[0] ?? '',
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      return lines.at(-1) ?? '';
    },
  };
}
