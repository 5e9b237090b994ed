/** A process that another command of Strata may have started. */

/** Sends the message that the parent waits for. Does nothing where a person has started the process. */
export function tellParent(message: string | object): void {
  process.send?.(message);
}

/** Aborts when the parent process is gone, so that no child is left over. */
export function parentGone(): AbortSignal {
  const gone = new AbortController();
  process.once('disconnect', () => gone.abort());
  if (process.connected !== true) gone.abort();
  // the channel alone keeps no process running
  process.channel?.unref();
  return gone.signal;
}

export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
