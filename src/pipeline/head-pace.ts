import type { Clock } from 'strata-kit/clock';
import { linkAbort } from 'strata-kit/linked-abort';
import { type Deferred, deferred } from '../core/deferred.ts';

/**
 * How often an indexer that follows the head looks for new blocks: for each one while somebody reads, otherwise after a
 * pause. To fetch, decode and commit ten blocks costs hardly more than one. Only for a store that no other process
 * reads: this one knows all readers.
 */
export interface HeadPace {
  /**
   * The indexer has handed over everything up to `height`. Resolves at once with false while somebody reads. Otherwise
   * resolves with true after the pause, when a reader comes, or at the signal.
   */
  pause(height: number, signal: AbortSignal): Promise<boolean>;
  /** Readers wait no longer: no node answers, or the run ends. */
  giveUp(): void;
  /**
   * Somebody reads. Undefined while the indexer looks for each new block. Otherwise the indexer looks now; resolves
   * with the height that it has then handed over, 0 where it could not within a second.
   */
  noteReader(): Promise<number> | undefined;
}

/** With a block a second ten blocks are one commit. */
const PAUSE_MS = 10_000;
/** Pages that are open ask more often than this; probes and scrapers do not. */
const READING_MS = 4_000;
/** From the reader that ends a pause. */
const READER_WAIT_MS = 1_000;

export function createHeadPace(clock: Clock): HeadPace {
  let readAtMs = Number.NEGATIVE_INFINITY;
  /** From the beginning of a pause until the indexer has handed over what came meanwhile. */
  let turn: Deferred<number> | undefined;
  let wake = linkAbort();

  const endTurn = (height: number): void => {
    turn?.resolve(height);
    turn = undefined;
  };

  /** Ends the pause. Readers that come later are answered without a wait once the first has waited its time. */
  const endPause = async (ended: Deferred<number>): Promise<void> => {
    wake.abort();
    await clock.sleep(READER_WAIT_MS);
    if (turn === ended) endTurn(0);
  };

  return {
    async pause(height, signal) {
      endTurn(height);
      if (clock.nowMs() - readAtMs < READING_MS) return false;
      turn = deferred();
      wake = linkAbort(signal);
      await clock.sleep(PAUSE_MS, wake.signal);
      wake.unlink();
      return true;
    },
    giveUp: () => endTurn(0),
    noteReader() {
      readAtMs = clock.nowMs();
      if (turn === undefined) return undefined;
      if (!wake.signal.aborted) void endPause(turn);
      return turn.promise;
    },
  };
}
