import type { Logger } from 'pino';

/** Between two lines about the same problem. A client that asks again every second says nothing new. */
const EVERY_MS = 10_000;

/** Logs a warning at most every 10 s, with the number that it left out since: one line, without a stack. */
export function createThrottledWarning(
  log: Pick<Logger, 'warn'>,
  message: string,
  nowMs: () => number = () => performance.now(),
): (error: unknown, about?: object) => void {
  let loggedMs = Number.NEGATIVE_INFINITY;
  let leftOut = 0;
  return (error, about = {}) => {
    if (nowMs() - loggedMs < EVERY_MS) {
      leftOut += 1;
      return;
    }
    log.warn({ ...about, ...(leftOut === 0 ? {} : { leftOut }) }, `${message}: ${reasonOf(error)}`);
    loggedMs = nowMs();
    leftOut = 0;
  };
}

/** The messages of an error and of what caused it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.message === '' ? ((error as NodeJS.ErrnoException).code ?? error.name) : error.message;
  const cause = error.cause === undefined ? '' : reasonOf(error.cause);
  // most messages repeat their cause
  return own.includes(cause) ? own : `${own}: ${cause}`;
}
