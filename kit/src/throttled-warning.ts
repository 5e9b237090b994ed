import type { Logger } from 'pino';

/** Between two lines about the same trouble: who asks again every second says nothing new. */
const EVERY_MS = 10_000;

/** A warning that is told at most every 10 s, with how many were left out since: one line, without a stack. */
export function createSeldom(
  log: Pick<Logger, 'warn'>,
  message: string,
  nowMs: () => number = () => performance.now(),
): (error: unknown, about?: object) => void {
  let toldMs = Number.NEGATIVE_INFINITY;
  let leftOut = 0;
  return (error, about = {}) => {
    if (nowMs() - toldMs < EVERY_MS) {
      leftOut += 1;
      return;
    }
    log.warn({ ...about, ...(leftOut === 0 ? {} : { leftOut }) }, `${message}: ${reasonOf(error)}`);
    toldMs = nowMs();
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
