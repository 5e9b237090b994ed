import type { DerivedTable } from '../../core/tables.ts';

/** The first time that an account completed a quest, a row each. */
export const QUEST_COMPLETIONS = {
  name: 'quest_completions',
  module: 'quests',
  key: ['account', 'quest'],
  columns: [
    ['account', 'String'],
    ['height', 'UInt64'],
    ['quest', 'String'],
    ['time_ns', 'Int64'],
    /** Bits, by place in the list of quests, of those that it has completed as of the block. */
    ['done', 'UInt32'],
  ],
} as const satisfies DerivedTable;

/** The same rows as an account's versions: those of a block have the same `done`. */
export const DONE_BY_ACCOUNT = { ...QUEST_COMPLETIONS, key: ['account'] } as const satisfies DerivedTable;

/**
 * How many quests an account has completed, a row a block in which that changed, best first: `missing` are those that it
 * has not.
 */
export const QUEST_STANDINGS = {
  name: 'quest_standings',
  module: 'quests',
  key: ['account'],
  columns: [
    ['missing', 'UInt8'],
    ['height', 'UInt64'],
    ['account', 'String'],
    ['time_ns', 'Int64'],
  ],
} as const satisfies DerivedTable;
