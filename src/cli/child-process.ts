import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { StrataError } from 'strata-kit/errors';
import { stopDeadlineMs } from '../settings/stopping.ts';
import { processEnvironment } from './environment.ts';

/** What a command and the processes that it starts have between them. */

/** Of what this process has to stop (src/main.ts). */
const CHILD_STOP_SHARE = 0.5;

export type Ended = `exit code ${number}` | `signal ${string}`;

/** Resolves when the process is gone. SIGTERM goes to it when `ending` aborts, SIGKILL when that does not help. */
export async function endOf(child: ChildProcess, ending: AbortSignal): Promise<Ended> {
  const exited = once(child, 'exit') as Promise<[code: number | null, signal: string | null]>;
  let forced: NodeJS.Timeout | undefined;
  const stop = (): void => {
    child.kill('SIGTERM');
    forced = setTimeout(() => child.kill('SIGKILL'), stopDeadlineMs(processEnvironment()) * CHILD_STOP_SHARE);
  };
  ending.addEventListener('abort', stop, { once: true });
  if (ending.aborted) stop();
  try {
    const [code, signal] = await exited;
    return code === null ? `signal ${signal ?? 'unknown'}` : `exit code ${code}`;
  } finally {
    clearTimeout(forced);
    ending.removeEventListener('abort', stop);
  }
}

/** A command of Strata in a process of its own, that has told what its parent waits for. */
export interface Child<T> {
  readonly told: T;
  /** Fails with process_ended when it ends by itself; ends with `close`. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

export interface ChildOptions {
  /** This process's own unless given. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Ends it, also before it has come up. */
  readonly signal?: AbortSignal;
}

/**
 * Starts a command and waits for what it tells; `name` is what messages call it. Errors: process_ended when it does not
 * come up, its own lines say why; aborted.
 */
export async function startChild<T>(
  name: string,
  args: readonly string[],
  { env, signal }: ChildOptions = {},
): Promise<Child<T>> {
  const ending = new AbortController();
  signal?.addEventListener('abort', () => ending.abort(), { once: true });
  if (signal?.aborted === true) ending.abort();
  const child = fork(process.argv[1] ?? '', args, {
    // a terminal's Ctrl-C is this process's to pass on
    detached: true,
    ...(env === undefined ? {} : { env }),
  });
  const ended = endOf(child, ending.signal).then((how) => {
    if (!ending.signal.aborted) throw new StrataError('process_ended', `${name} ended (${how})`);
  });
  const message = new Promise<T>((resolve) => {
    child.once('message', (told) => resolve(told as T));
  });
  const early = ended.then((): never => {
    throw new StrataError('aborted', `${name} was stopped before it had come up`);
  });
  const told = await Promise.race([message, early]);
  return {
    told,
    ended,
    async close() {
      ending.abort();
      await ended;
    },
  };
}
