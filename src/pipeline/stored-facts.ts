import { type BlockFacts, type EventFact, type FactFilter, inOrderOfDerivation } from '../derive/facts.ts';
import type { Store } from '../store/store.ts';
import { type AccountWindow, createAccountWindow } from './account-window.ts';
import { type RowsByHeight, readUpTo } from './rows-by-height.ts';
import {
  heightsBetween,
  readEvents,
  readEvmTxCounts,
  readEvmTxs,
  readFailedTxs,
  readHashes,
  readLogs,
  readPlainEvents,
  readTimes,
  readTransfers,
} from './stored-rows.ts';

/** Facts of heights (from, to], with how many events they hold. */
export interface FactRange {
  readonly toHeight: number;
  readonly blocks: readonly BlockFacts[];
  readonly events: number;
}

export interface StoredFactsOptions {
  readonly filter: FactFilter;
  /** Above this height… */
  readonly fromHeight: number;
  /** …up to this one. */
  readonly toHeight: number;
  /** Rows of each kind that a range may have, unless one height has more; 30,000 by default. */
  readonly maxRows?: number;
  /** Heights that a range may have; 5,000 by default. */
  readonly maxHeights?: number;
  /** Pairs of height and account that are read at once, unless 64 heights have more; 500,000 by default. */
  readonly maxAccountRows?: number;
}

const MAX_ROWS = 30_000;
const MAX_HEIGHTS = 5_000;
/** Of the first range, before it is known how many rows a height has. */
const FIRST_HEIGHTS = 500;

/**
 * The facts of stored blocks, as src/derive/native-facts.ts gives them of blocks that were decoded just now, range after
 * range. While one is worked on the next is read: two are held at a time.
 * Errors: store_query_failed, store_unreachable.
 */
export async function* storedFacts(store: Store, options: StoredFactsOptions): AsyncGenerator<FactRange> {
  const { fromHeight, toHeight } = options;
  if (fromHeight >= toHeight) return;
  const accounts = createAccountWindow(store, options);
  const { maxHeights = MAX_HEIGHTS, maxRows = MAX_ROWS } = options;
  let heights = Math.min(maxHeights, FIRST_HEIGHTS);
  const read = async (from: number): Promise<ReadRange> => {
    const range = await readRange(store, options, from, Math.min(toHeight, from + heights), accounts);
    // rows beyond the limit would be read twice: the next range asks for as many heights as are likely to have fewer
    heights = Math.min(maxHeights, Math.max(1, Math.floor((0.9 * maxRows) / range.rowsPerHeight)));
    return range;
  };
  let next: Promise<FactRange> | undefined = read(fromHeight);
  try {
    while (next !== undefined) {
      const range: FactRange = await next;
      next = range.toHeight < toHeight ? read(range.toHeight) : undefined;
      // awaited a range later, when it may have failed long ago
      next?.catch(() => undefined);
      yield range;
    }
  } finally {
    await next?.catch(() => undefined);
  }
}

interface ReadRange extends FactRange {
  /** Of the kind of fact that has the most. */
  readonly rowsPerHeight: number;
}

function densityOf({ toHeight, byHeight }: RowsByHeight<unknown>, fromHeight: number): number {
  let rows = 0;
  for (const ofHeight of byHeight.values()) rows += ofHeight.length;
  return rows / (toHeight - fromHeight);
}

async function readRange(
  store: Store,
  options: StoredFactsOptions,
  fromHeight: number,
  wanted: number,
  accounts: AccountWindow,
): Promise<ReadRange> {
  const { filter, maxRows = MAX_ROWS } = options;
  const [events, plain, failed, logs, transfers, evmTxs] = await Promise.all([
    readUpTo(fromHeight, wanted, maxRows, (heights, limit) => readEvents(store, filter, heights, limit)),
    readUpTo(fromHeight, wanted, maxRows, (heights, limit) => readPlainEvents(store, filter, heights, limit)),
    readUpTo(fromHeight, wanted, maxRows, (heights, limit) => readFailedTxs(store, filter, heights, limit)),
    readUpTo(fromHeight, wanted, maxRows, (heights, limit) => readLogs(store, filter, heights, limit)),
    readUpTo(fromHeight, wanted, maxRows, (heights, limit) => readTransfers(store, filter, heights, limit)),
    readUpTo(fromHeight, wanted, maxRows, (heights, limit) => readEvmTxs(store, filter, heights, limit)),
  ]);
  const kinds = [events, plain, failed, logs, transfers, evmTxs];
  const complete = Math.min(...kinds.map((read) => read.toHeight));
  const { toHeight, byHeight: accountsOf } = await accounts.read(fromHeight, complete);
  const heights = heightsBetween(fromHeight, toHeight);
  const [times, hashes, evmTxCounts] = await Promise.all([
    readTimes(store, heights),
    readHashes(store, filter, heights),
    readEvmTxCounts(store, filter, heights),
  ]);
  let count = 0;
  const blocks = times.map(({ height, timeNs, txCount }) => {
    const stored = events.byHeight.get(height) ?? [];
    const untyped = plain.byHeight.get(height) ?? [];
    count += stored.length + untyped.length;
    const hashesOf = hashes.get(height);
    const facts: readonly EventFact[] = inOrderOfDerivation([
      ...stored.map((event) => ({ ...event, txHash: hashesOf?.get(event.txIndex) })),
      ...untyped,
    ]);
    return {
      height,
      timeNs,
      txCount,
      evmTxCount: evmTxCounts.get(height) ?? 0,
      events: facts,
      failedTxs: failed.byHeight.get(height) ?? [],
      logs: logs.byHeight.get(height) ?? [],
      transfers: transfers.byHeight.get(height) ?? [],
      evmTxs: evmTxs.byHeight.get(height) ?? [],
      accounts: accountsOf.get(height) ?? [],
    };
  });
  return {
    toHeight,
    blocks,
    events: count,
    rowsPerHeight: Math.max(...kinds.map((each) => densityOf(each, fromHeight))),
  };
}
