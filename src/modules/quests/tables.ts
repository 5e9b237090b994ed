import { delta, i64big, text, u8, u32, u64, word } from '../../core/columns.ts';
import { derivedTable } from '../../core/table.ts';

/** The first time that an account completed a quest, a row each. */
export const QUEST_COMPLETIONS = derivedTable({
  name: 'quest_completions',
  module: 'quests',
  key: ['account', 'quest'],
  order: ['account', 'height', 'quest'],
  columns: {
    account: text,
    height: delta(u64),
    quest: word,
    time_ns: delta(i64big),
    /** Bits, by place in the list of quests, of those that it has completed as of the block. */
    done: u32,
  },
});

/** The same rows as an account's versions: those of a block have the same `done`. */
export const DONE_BY_ACCOUNT = { ...QUEST_COMPLETIONS, key: ['account'] as const };

/**
 * How many quests an account has completed, a row a block in which that changed, best first: `missing` are those that it
 * has not.
 */
export const QUEST_STANDINGS = derivedTable({
  name: 'quest_standings',
  module: 'quests',
  key: ['account'],
  order: ['missing', 'height', 'account'],
  granularity: 512,
  columns: {
    missing: u8,
    height: delta(u64),
    account: text,
    time_ns: delta(i64big),
  },
});
