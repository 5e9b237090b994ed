import { signal } from '@preact/signals';
import type { Status } from '../../../../clients/ts/src/client.ts';
import { told, v1 } from './client.ts';
import { type AskError, asAskError } from './errors.ts';

/** The indexer's position, asked once a second while the page is visible. */
export const status = signal<Status | undefined>(undefined);
/** Why the last question got no answer. */
export const statusError = signal<AskError | undefined>(undefined);
/** Milliseconds since 1970, once a second: what relative times are relative to. */
export const nowMs = signal(Date.now());

const POLL_MS = 1_000;
/** An indexer that hangs keeps its connections open: after so long without an answer there is none. */
const PATIENCE_MS = 5_000;

/** Goes on as long as the page does. */
export function followStatus(): void {
  let isAsking = false;
  const tick = async (): Promise<void> => {
    nowMs.value = Date.now();
    if (document.hidden || isAsking) return;
    isAsking = true;
    try {
      status.value = await told(v1.GET('/v1/status', { signal: AbortSignal.timeout(PATIENCE_MS) }));
      statusError.value = undefined;
    } catch (error) {
      statusError.value = asAskError(error);
    } finally {
      isAsking = false;
    }
  };
  setInterval(() => void tick(), POLL_MS);
  document.addEventListener('visibilitychange', () => void tick());
  void tick();
}
