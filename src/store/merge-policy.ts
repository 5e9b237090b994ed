import type { Store } from './store.ts';
import { alignTableSettings } from './table-settings.ts';

/**
 * During a backfill a merge of a bulk table joins at least this many parts. By default it joins about 5, which writes
 * every row log5(commits) times; a pass over these tables costs about half of what inserting them does. Parts
 * then stay below 10 for each power of 10 of commits; 20 at once would save a fifth of the merges of a long chain, for
 * twice the memory of each.
 */
const BACKFILL_MERGE_PARTS = 10;

/** Nine tenths of the bytes, with rows that come in the order of their keys: a reader of one height meets one part. */
const BULK_TABLES: readonly string[] = ['blocks', 'txs', 'events', 'transfers'];

/** So far behind the chain's head commits are large and many; near it they are small, and readers want few parts. */
const BACKFILL_BEHIND_BLOCKS = 2_000;
const HEAD_BEHIND_BLOCKS = 100;

/** How eagerly the engine merges what is committed. */
export interface MergePolicy {
  /** Call it after each commit with the number of blocks that the chain is ahead. Errors: store_query_failed. */
  follow(behindBlocks: number): Promise<void>;
}

export function createMergePolicy(store: Store): MergePolicy {
  // unknown at start: the process before may have been killed in either
  let isBackfill: boolean | undefined;
  return {
    async follow(behindBlocks) {
      const wanted =
        behindBlocks > BACKFILL_BEHIND_BLOCKS || (isBackfill === true && behindBlocks > HEAD_BEHIND_BLOCKS);
      if (wanted === isBackfill) return;
      const value = wanted ? BACKFILL_MERGE_PARTS : undefined;
      await alignTableSettings(store, BULK_TABLES, { min_parts_to_merge_at_once: value });
      isBackfill = wanted;
    },
  };
}
