import { setMaxListeners } from 'node:events';

export interface LinkedAbort {
  readonly signal: AbortSignal;
  abort(): void;
  /**
   * Must be called once the signal is done with, or the outer ones hold on to it. AbortSignal.any leaks so in Node 20: 1.2 kB a
   * call on a signal that lives long, where somebody listens to the new one.
   */
  unlink(): void;
}

/** A signal that aborts with any of `outers`, for the same reason, or by itself. */
export function linkAbort(...outers: readonly (AbortSignal | undefined)[]): LinkedAbort {
  const controller = new AbortController();
  const linked = outers
    .filter((outer) => outer !== undefined)
    .map((outer) => ({ outer, follow: () => controller.abort(outer.reason) }));
  // every request in flight listens, which is no leak
  setMaxListeners(0, controller.signal, ...linked.map(({ outer }) => outer));
  for (const { outer, follow } of linked) {
    if (outer.aborted) follow();
    outer.addEventListener('abort', follow);
  }
  return {
    signal: controller.signal,
    abort: () => controller.abort(),
    unlink: () => {
      for (const { outer, follow } of linked) outer.removeEventListener('abort', follow);
    },
  };
}
