import type { Clock } from 'strata-kit/clock';
import { writeChainHeight } from '../store/checkpoints.ts';
import type { Store } from '../store/store.ts';
import type { IndexingLog } from './indexing-log.ts';

const CHAIN_HEIGHT_INTERVAL_MS = 2_000;

/** Keeps the chain's height in the store while commits do not, so that a process that only serves knows the lag. */
export function chainHeightRecorder(
  store: Store,
  { clock, log }: { readonly clock: Clock; readonly log: IndexingLog },
  committed: () => { readonly height: number; readonly atMs: number },
): (chainHeight: number) => void {
  let recorded = 0;
  let recordedAtMs = 0;
  let writing = false;
  /** The lowest height that neither a checkpoint nor a record has, and since when it is known. */
  let unknown: { readonly height: number; readonly sinceMs: number } | undefined;
  return (chainHeight) => {
    const nowMs = clock.nowMs();
    const { height, atMs } = committed();
    // a checkpoint has the chain's height, too
    const known = Math.max(recorded, height);
    if (unknown !== undefined && unknown.height <= known) unknown = undefined;
    if (writing || chainHeight <= known) return;
    // a block that has just been found is about to be committed
    unknown ??= { height: chainHeight, sinceMs: nowMs };
    if (nowMs - Math.max(recordedAtMs, atMs, unknown.sinceMs) < CHAIN_HEIGHT_INTERVAL_MS) return;
    writing = true;
    recordedAtMs = nowMs;
    writeChainHeight(store, chainHeight)
      .then(() => {
        recorded = chainHeight;
      })
      .catch((error: unknown) => log.warn({ err: error }, "the chain's height could not be stored"))
      .finally(() => {
        writing = false;
      });
  };
}
