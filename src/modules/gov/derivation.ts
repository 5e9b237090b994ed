import { columnNames } from '../../core/reading.ts';
import type { RowOf } from '../../core/table.ts';
import { type BlockAt, type Derivation, type EventContext, on } from '../../derive/derivation.ts';
import { int256 } from '../../derive/int256.ts';
import {
  DEPOSIT_ENDED,
  type Deposited,
  type Ended,
  PROPOSAL_CANCELLED,
  PROPOSAL_DEPOSITED,
  PROPOSAL_SUBMITTED,
  PROPOSAL_VOTED,
  type Submitted,
  VOTING_ENDED,
  type Voted,
} from './events.ts';
import { NO_VOTES, optionsFrom, optionsText, type Tally, type WeightedOption, withVote } from './options.ts';
import { GOV_PROPOSALS, GOV_TALLIES, GOV_VOTES, GOV_VOTES_BY_VOTER } from './tables.ts';

export const STATUSES = [
  'DEPOSIT_PERIOD',
  'VOTING_PERIOD',
  'PASSED',
  'REJECTED',
  'FAILED',
  'DROPPED',
  'CANCELLED',
] as const;
export type Status = (typeof STATUSES)[number];
const OPEN: readonly Status[] = ['DEPOSIT_PERIOD', 'VOTING_PERIOD'];

const RESULTS: ReadonlyMap<string, Status> = new Map([
  ['proposal_passed', 'PASSED'],
  ['proposal_rejected', 'REJECTED'],
  ['proposal_failed', 'FAILED'],
  ['proposal_dropped', 'DROPPED'],
]);
/** The proposal goes on as an ordinary one; the chain has deleted its votes. */
const EXPEDITED_REJECTED = 'expedited_proposal_rejected';
const NO_HASH = new Uint8Array(32);

type ProposalRow = Omit<RowOf<typeof GOV_PROPOSALS>, 'height'>;

/** One that has not ended. */
interface Proposal {
  row: ProposalRow;
  tally: Tally;
  /** By voter. */
  readonly votes: Map<string, readonly WeightedOption[]>;
  hasChanged: boolean;
  hasVotes: boolean;
}

/**
 * Proposals of the Cosmos SDK's x/gov and their votes, from the events of its keeper. It derives in every store: a
 * proposal is known from the first event that names it.
 */
export const govDerivation: Derivation = {
  module: 'gov',
  layer: 'base',
  tables: [GOV_PROPOSALS, GOV_TALLIES, GOV_VOTES, GOV_VOTES_BY_VOTER],
  reads: [],
  open({ table }) {
    const [proposalRows, tallyRows] = [table(GOV_PROPOSALS), table(GOV_TALLIES)];
    const voteRows = [table(GOV_VOTES), table(GOV_VOTES_BY_VOTER)];
    const open = new Map<bigint, Proposal>();
    /** Of this block. */
    const cast = new Map<string, RowOf<typeof GOV_VOTES>>();

    const proposalOf = (id: bigint): Proposal => {
      const known = open.get(id);
      if (known !== undefined) return known;
      const row = newRow(id);
      const proposal = { row, tally: NO_VOTES, votes: new Map(), hasChanged: true, hasVotes: true };
      open.set(id, proposal);
      return proposal;
    };
    const change = (id: bigint, values: Partial<ProposalRow>): void => {
      const proposal = proposalOf(id);
      proposal.row = { ...proposal.row, ...values };
      proposal.hasChanged = true;
    };
    const startVoting = (id: bigint, { height }: BlockAt): void =>
      change(id, { status: 'VOTING_PERIOD', voting_height: height });

    const restartVoting = (id: bigint, { height }: BlockAt): void => {
      const proposal = proposalOf(id);
      proposal.votes.clear();
      proposal.tally = NO_VOTES;
      proposal.hasVotes = true;
      change(id, { voting_height: height + 1 });
    };

    const submit = ({ id, startsVoting, messages, proposer }: Submitted, context: EventContext): void => {
      if (startsVoting) {
        startVoting(id, context);
        return;
      }
      change(id, {
        proposer,
        messages: JSON.stringify(messages),
        submitted_height: context.height,
        submitted_time_ns: context.timeNs,
        submitted_tx_hash: context.txHash ?? NO_HASH,
      });
    };

    const deposit = ({ id, startsVoting, coins }: Deposited, context: EventContext): void => {
      if (startsVoting) startVoting(id, context);
      else change(id, { deposit: withCoins(proposalOf(id).row.deposit, coins) });
    };

    const vote = ({ id, voter, options }: Voted, { height, timeNs, txHash }: EventContext): void => {
      const proposal = proposalOf(id);
      // a vote is news of a proposal whose start nobody has seen
      if (proposal.row.voting_height === 0) startVoting(id, { height, timeNs });
      const before = proposal.votes.get(voter);
      if (before !== undefined) proposal.tally = withVote(proposal.tally, before, -1n);
      proposal.tally = withVote(proposal.tally, options, 1n);
      proposal.votes.set(voter, options);
      proposal.hasVotes = true;
      cast.set(`${id} ${voter}`, {
        proposal_id: id,
        voter,
        height,
        options: optionsText(options),
        time_ns: timeNs,
        tx_hash: txHash ?? NO_HASH,
      });
    };

    const end = ({ id, result, log }: Ended, context: EventContext): void => {
      const status = RESULTS.get(result);
      if (status !== undefined) change(id, { status, ended_height: context.height, log });
      else if (result === EXPEDITED_REJECTED) restartVoting(id, context);
      else context.compare('proposal_result', '', result);
    };

    return {
      state: undefined,
      handlers: [
        on(PROPOSAL_SUBMITTED, submit),
        on(PROPOSAL_DEPOSITED, deposit),
        on(PROPOSAL_VOTED, vote),
        on(VOTING_ENDED, end),
        on(DEPOSIT_ENDED, end),
        on(PROPOSAL_CANCELLED, ({ id }, { height }) =>
          change(id, { status: 'CANCELLED', ended_height: height }),
        ),
      ],
      endBlock({ height }) {
        for (const row of cast.values()) for (const builder of voteRows) builder.append(row);
        cast.clear();
        for (const [id, proposal] of open) {
          if (proposal.hasChanged) proposalRows.append({ ...proposal.row, height });
          if (proposal.hasVotes)
            tallyRows.append({ proposal_id: id, height, ...tallyColumns(proposal.tally) });
          proposal.hasChanged = false;
          proposal.hasVotes = false;
          if (proposal.row.ended_height > 0) open.delete(id);
        }
      },
      async restore(versions) {
        await versions.latest(
          GOV_PROPOSALS,
          columnNames(GOV_PROPOSALS),
          ({ height: _, ...row }) => {
            const submitted_tx_hash = Uint8Array.from(row.submitted_tx_hash);
            open.set(row.proposal_id, {
              row: { ...row, submitted_tx_hash },
              tally: NO_VOTES,
              votes: new Map(),
              hasChanged: false,
              hasVotes: false,
            });
          },
          ['status', OPEN],
        );
        const ids = [...open.keys()].map(String);
        await versions.latest(
          GOV_VOTES,
          ['proposal_id', 'voter', 'options', 'height'],
          ({ proposal_id, voter, options, height }) => {
            const proposal = open.get(proposal_id);
            if (proposal === undefined || height < proposal.row.voting_height) return;
            const read = optionsFrom(options);
            proposal.votes.set(voter, read);
            proposal.tally = withVote(proposal.tally, read, 1n);
          },
          ['proposal_id', ids],
        );
      },
    };
  },
};

function newRow(id: bigint): ProposalRow {
  return {
    proposal_id: id,
    status: 'DEPOSIT_PERIOD',
    proposer: '',
    messages: '[]',
    deposit: '{}',
    submitted_height: 0,
    submitted_time_ns: 0n,
    submitted_tx_hash: NO_HASH,
    voting_height: 0,
    ended_height: 0,
    log: '',
  };
}

function tallyColumns({ YES, ABSTAIN, NO, NO_WITH_VETO, votes }: Tally) {
  return { yes: YES, abstain: ABSTAIN, no: NO, no_with_veto: NO_WITH_VETO, votes };
}

function withCoins(deposit: string, coins: Deposited['coins']): string {
  const amounts = new Map(Object.entries(JSON.parse(deposit) as Readonly<Record<string, string>>));
  for (const [denom, amount] of coins) {
    amounts.set(denom, String(int256(BigInt(amounts.get(denom) ?? '0') + amount)));
  }
  return JSON.stringify(Object.fromEntries([...amounts].sort(([a], [b]) => (a < b ? -1 : 1))));
}
