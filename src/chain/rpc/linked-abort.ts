import { setMaxListeners } from 'node:events';

export interface LinkedAbort {
  readonly signal: AbortSignal;
  abort(): void;
  /** Must be called, or the outer signal holds on to this one: AbortSignal.any leaks so on long-lived signals. */
  unlink(): void;
}

/** A signal that aborts with `outer` or by itself. */
export function linkAbort(outer?: AbortSignal): LinkedAbort {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  // every request in flight listens, which is no leak
  setMaxListeners(0, controller.signal, ...(outer === undefined ? [] : [outer]));
  if (outer?.aborted === true) abort();
  outer?.addEventListener('abort', abort);
  return { signal: controller.signal, abort, unlink: () => outer?.removeEventListener('abort', abort) };
}
