import type { TextStream } from 'strata-kit/cli/live-line';
import { isEngineInProcess } from '../store/engine-in-process.ts';

export interface ShutdownOptions {
  /** From the first signal to the forced end. */
  readonly deadlineMs: number;
  readonly stderr: TextStream;
}

/** npm and the terminal both pass one Ctrl-C on: what follows within this time is the same signal. */
const SAME_SIGNAL_MS = 500;

/**
 * Runs a command whose AbortSignal SIGINT and SIGTERM abort, once. Resolves with the command's exit code. When the
 * command has not ended `deadlineMs` after the signal, or a second signal comes, the process ends after a line that
 * says so, with 1 or, when the embedded engine runs in it, by SIGKILL; what was not committed is repaired at the next
 * start.
 */
export async function withShutdown(
  run: (signal: AbortSignal) => Promise<number>,
  { deadlineMs, stderr }: ShutdownOptions,
): Promise<number> {
  const controller = new AbortController();
  let firstMs: number | undefined;
  const giveUp = (reason: string) => {
    stderr.write(`strata: ${reason}; what was not committed is done again at the next start\n`);
    // every ordinary exit, process.reallyExit too, runs the engine's destructors under its running queries: a crash
    if (isEngineInProcess()) process.kill(process.pid, 'SIGKILL');
    process.exit(1);
  };
  const onSignal = (name: NodeJS.Signals) => {
    const nowMs = performance.now();
    if (firstMs === undefined) {
      firstMs = nowMs;
      setTimeout(() => giveUp(`not finished ${deadlineMs / 1_000} s after ${name}`), deadlineMs).unref();
      controller.abort();
    } else if (nowMs - firstMs > SAME_SIGNAL_MS) {
      giveUp(`stopped at once by a second ${name}`);
    }
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return run(controller.signal);
}

/** A reader that went away (`strata digest | head -1`) is no failure: what is still written is dropped. */
export function ignoreBrokenPipe(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
