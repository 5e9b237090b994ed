import { delta, fixed, i64big, i256, packed, text, u64, u64big, word } from '../../core/columns.ts';
import { derivedTable } from '../../core/table.ts';

/**
 * Versions of proposals. `messages` are type URLs and `deposit` amounts by denom, both as JSON. Heights, the time and the
 * hash are 0 until they are known: a store that begins later, or a chain with proposals in its genesis, never learns who
 * submitted them. Votes count from `voting_height` on.
 */
export const GOV_PROPOSALS = derivedTable({
  name: 'gov_proposals',
  module: 'gov',
  key: ['proposal_id'],
  granularity: 256,
  columns: {
    proposal_id: u64big,
    height: delta(u64),
    status: word,
    proposer: text,
    messages: text,
    deposit: text,
    submitted_height: u64,
    submitted_time_ns: i64big,
    submitted_tx_hash: packed(fixed(32)),
    voting_height: u64,
    ended_height: u64,
    log: text,
  },
});

/** Weights of a proposal's votes by option, in units of 10^-18, without anybody's stake; `votes` counts voters. */
export const GOV_TALLIES = derivedTable({
  name: 'gov_tallies',
  module: 'gov',
  key: ['proposal_id'],
  columns: {
    proposal_id: u64big,
    height: delta(u64),
    yes: i256,
    abstain: i256,
    no: i256,
    no_with_veto: i256,
    votes: u64,
  },
});

const VOTE_COLUMNS = {
  proposal_id: u64big,
  voter: text,
  height: delta(u64),
  options: text,
  time_ns: delta(i64big),
  tx_hash: packed(fixed(32)),
};

/** The last vote of an account on a proposal; `options` is JSON as the API prints it. */
export const GOV_VOTES = derivedTable({
  name: 'gov_votes',
  module: 'gov',
  key: ['proposal_id', 'voter'],
  columns: VOTE_COLUMNS,
});

/** The same votes by voter. */
export const GOV_VOTES_BY_VOTER = derivedTable({
  name: 'gov_votes_by_voter',
  module: 'gov',
  key: ['voter', 'proposal_id'],
  columns: VOTE_COLUMNS,
});
