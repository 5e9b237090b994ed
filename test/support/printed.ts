import type { CommandResult } from './command.ts';

/** What a command has printed so far, and who waits for some of it. */
export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
  add(stream: 'stdout' | 'stderr', text: string): void;
  /** Resolves with the match once one of the streams has it. Errors: the command ends or takes too long before. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
}

/** Below the limit of a test, so that its failure shows what was printed. */
const DEADLINE_MS = 110_000;

export function createPrinted(name: string, ended: Promise<CommandResult>): Printed {
  const text = { stdout: '', stderr: '' };
  const watchers = new Set<() => void>();
  return {
    get stdout() {
      return text.stdout;
    },
    get stderr() {
      return text.stderr;
    },
    add(stream, more) {
      text[stream] += more;
      for (const watch of watchers) watch();
    },
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const fail = (why: string) => {
          watchers.delete(watch);
          clearTimeout(timer);
          reject(
            new Error(`strata ${name} ${why} without printing ${pattern}:\n${text.stdout}${text.stderr}`),
          );
        };
        const watch = () => {
          const match = pattern.exec(text.stdout) ?? pattern.exec(text.stderr);
          if (match === null) return;
          watchers.delete(watch);
          clearTimeout(timer);
          resolve(match);
        };
        const timer = setTimeout(() => fail(`ran ${DEADLINE_MS} ms`), DEADLINE_MS);
        watchers.add(watch);
        void ended.then(() => {
          if (watchers.has(watch)) fail('ended');
        });
        watch();
      }),
  };
}
