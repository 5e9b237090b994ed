import { failure, toFailure } from './failure.ts';

/** Ends a statement that may run no longer. */

const CANCEL_AGAIN_MS = 200;

export interface Watch {
  readonly deadlineMs: number;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
  /** Stops what the session runs; nothing to do when it runs nothing. */
  cancel(): Promise<void>;
  /** Told the reason, so that nobody waits for a client that does not read. */
  onStop(reason: Error): void;
  readonly reportError: (error: unknown) => void;
}

/**
 * Stops `use` at its deadline, when the client is gone and when `use` itself asks for it; always waits until the engine
 * has let go of it. False when it was stopped: a cancel that was sent may still hit what the session runs next.
 *
 * Errors: the reason for the stop, else what `use` failed with, as EngineFailure.
 */
export async function watched(
  watch: Watch,
  use: (stop: (reason: Error) => void) => Promise<void>,
): Promise<boolean> {
  const gone = () => failure('QUERY_WAS_CANCELLED', 'The client went away');
  // while the session was made ready
  if (watch.signal.aborted) throw gone();
  let reason: Error | undefined;
  let done = false;
  let isTold = false;
  let again: NodeJS.Timeout | undefined;
  // more than once: a query that has not begun cannot be stopped
  const cancelUntilDone = async (): Promise<void> => {
    try {
      await watch.cancel();
    } catch (error) {
      if (!isTold) watch.reportError(error);
      isTold = true;
    }
    if (!done) again = setTimeout(() => void cancelUntilDone(), CANCEL_AGAIN_MS);
  };
  const stop = (why: Error): void => {
    if (reason !== undefined) return;
    reason = why;
    watch.onStop(why);
    void cancelUntilDone();
  };
  const { deadlineMs, signal } = watch;
  const deadline = setTimeout(
    () => stop(failure('TIMEOUT_EXCEEDED', `Timeout exceeded: the limit is ${deadlineMs / 1_000} seconds`)),
    deadlineMs,
  );
  const onAbort = () => stop(gone());
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await use(stop);
  } catch (error) {
    throw reason ?? toFailure(error);
  } finally {
    done = true;
    clearTimeout(deadline);
    clearTimeout(again);
    signal.removeEventListener('abort', onAbort);
  }
  return reason === undefined;
}
