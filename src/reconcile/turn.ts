import { setImmediate } from 'node:timers/promises';
import { StrataError } from 'strata-kit/errors';

/** Lets other work have its turn. Errors: aborted. */
export async function takeTurn(signal: AbortSignal | undefined): Promise<void> {
  await setImmediate();
  throwIfAborted(signal);
}

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new StrataError('aborted', 'the comparison was stopped');
}
