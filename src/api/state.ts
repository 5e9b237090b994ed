import type { Clock } from '../core/clock.ts';
import { SEALED_COUNTS } from '../store/seals.ts';
import { quote } from '../store/sql.ts';
import type { Store } from '../store/store.ts';
import type { Snapshot } from './route.ts';
import { readSnapshot } from './rows.ts';

export const STATE_POLL_MS = 250;

/** Keeps the newest checkpoint and the chain's head, as the indexing process stored them. */
export interface ChainState {
  current(): Snapshot;
  /** When that was read, in milliseconds since 1970. */
  readAtMs(): number;
  /** The indexing process has committed: look now instead of at the next poll. */
  notify(): void;
  close(): Promise<void>;
}

export interface ChainStateOptions {
  /** A session of its own, so that the poll never waits behind an answer's query. */
  readonly store: Store;
  readonly clock: Clock;
  readonly pollMs?: number;
  /** Hears of a poll that failed; the last snapshot goes on being served. */
  readonly reportError: (error: unknown) => void;
}

const NO_MAP = "CAST(map(), 'Map(String, UInt64)')";
const STATE_SQL =
  `SELECT toUInt8(0), mapContains(rows, ${quote(SEALED_COUNTS)}), height, first_height, block_time_ns, chain_height, generations ` +
  'FROM (SELECT rows, height, first_height, block_time_ns, chain_height, generations FROM checkpoints ORDER BY height DESC, written_at DESC LIMIT 1) ' +
  `UNION ALL SELECT toUInt8(1), toUInt8(0), toUInt64(0), toUInt64(0), toInt64(0), toUInt64(max(chain_height)), ${NO_MAP} FROM source_heads`;

/** Reads the state once, then polls. Errors of the first reading: store_query_failed, store_unreachable. */
export async function openChainState(options: ChainStateOptions): Promise<ChainState> {
  const read = async (): Promise<Snapshot> => readSnapshot(await options.store.query(STATE_SQL));
  let snapshot = await read();
  let readAtMs = options.clock.nowMs();
  let closed = false;
  let wake = new AbortController();

  const poll = async (): Promise<void> => {
    while (!closed) {
      await options.clock.sleep(options.pollMs ?? STATE_POLL_MS, wake.signal);
      if (closed) return;
      // replaced before reading, so that a notice that comes while reading is not lost
      wake = new AbortController();
      try {
        snapshot = await read();
        readAtMs = options.clock.nowMs();
      } catch (error) {
        options.reportError(error);
      }
    }
  };
  const polling = poll();

  return {
    current: () => snapshot,
    readAtMs: () => readAtMs,
    notify: () => wake.abort(),
    close: async () => {
      closed = true;
      wake.abort();
      await polling;
    },
  };
}
