import { formatTimeNs } from 'strata-kit/time';
import { latestRows, latestVersions } from '../../api/as-of.ts';
import type { RouteContext } from '../../api/route.ts';
import { readAll } from '../../api/rows.ts';
import { columnNames, selection } from '../../core/reading.ts';
import type { RowOf } from '../../core/table.ts';
import { quote, uintLiteral } from '../../store/sql.ts';
import { jsonWithId, txHashJson } from '../record-json.ts';
import { weightText } from './options.ts';
import { GOV_PROPOSALS, GOV_TALLIES, GOV_VOTES, GOV_VOTES_BY_VOTER } from './tables.ts';

type Reading = Pick<RouteContext, 'snapshot' | 'query'>;
type ProposalRow = RowOf<typeof GOV_PROPOSALS>;
type TallyRow = RowOf<typeof GOV_TALLIES>;
type VoteRow = RowOf<typeof GOV_VOTES>;

const PROPOSALS = selection(GOV_PROPOSALS);
const VOTES = selection(GOV_VOTES);

/** The part of a list that a page shows. */
export interface Page<Position> {
  /** The list is as of this height. */
  readonly height: number;
  /** The last key of the page before. */
  readonly after: Position | undefined;
  readonly limit: number;
}

/** Newest first. */
export async function proposalsPage(
  context: Reading,
  { height, after, limit }: Page<bigint>,
  status: string | undefined,
): Promise<readonly ProposalRow[]> {
  const where = after === undefined ? '1' : `proposal_id < ${uintLiteral(after)}`;
  const newest = latestVersions(context.snapshot, GOV_PROPOSALS, PROPOSALS.columns, where, height);
  const hasStatus = status === undefined ? '' : `WHERE status = ${quote(status)} `;
  const sql = `SELECT ${PROPOSALS.columns} FROM (${newest}) ${hasStatus}ORDER BY proposal_id DESC LIMIT ${uintLiteral(limit)}`;
  return readAll(await context.query(sql), PROPOSALS.read);
}

export async function proposalOf(context: Reading, id: bigint): Promise<ProposalRow | undefined> {
  const where = `proposal_id = ${uintLiteral(id)}`;
  return (await latestRows(context, GOV_PROPOSALS, columnNames(GOV_PROPOSALS), where))[0];
}

/** GovProposal of openapi.yaml, with the tallies as of a height. */
export async function proposalTexts(
  context: Reading,
  rows: readonly ProposalRow[],
  height: number,
): Promise<readonly string[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ proposal_id: id }) => uintLiteral(id)).join(', ');
  const columns = columnNames(GOV_TALLIES);
  const found = await latestRows(context, GOV_TALLIES, columns, `proposal_id IN (${ids})`, height);
  const tallies = new Map(found.map((row) => [row.proposal_id, row]));
  return rows.map((row) => proposalText(row, tallies.get(row.proposal_id)));
}

/** By voter. */
export async function votesOnProposal(
  { snapshot, query }: Reading,
  id: bigint,
  { height, after, limit }: Page<string>,
): Promise<readonly VoteRow[]> {
  const isAfter = after === undefined ? '' : ` AND voter > ${quote(after)}`;
  const where = `proposal_id = ${uintLiteral(id)}${isAfter}`;
  const newest = latestVersions(snapshot, GOV_VOTES, VOTES.columns, where, height);
  const sql = `SELECT ${VOTES.columns} FROM (${newest}) ORDER BY voter LIMIT ${uintLiteral(limit)}`;
  return readAll(await query(sql), VOTES.read);
}

/** By proposal, newest first. */
export async function votesOfAccount(
  { snapshot, query }: Reading,
  voter: string,
  { height, after, limit }: Page<bigint>,
): Promise<readonly VoteRow[]> {
  const isAfter = after === undefined ? '' : ` AND proposal_id < ${uintLiteral(after)}`;
  const where = `voter = ${quote(voter)}${isAfter}`;
  const newest = latestVersions(snapshot, GOV_VOTES_BY_VOTER, VOTES.columns, where, height);
  const sql = `SELECT ${VOTES.columns} FROM (${newest}) ORDER BY proposal_id DESC LIMIT ${uintLiteral(limit)}`;
  return readAll(await query(sql), VOTES.read);
}

function proposalText(row: ProposalRow, tally: TallyRow | undefined): string {
  return jsonWithId(row.proposal_id, {
    status: row.status,
    proposer: row.proposer === '' ? null : row.proposer,
    messages: JSON.parse(row.messages) as unknown,
    deposit: JSON.parse(row.deposit) as unknown,
    tally: {
      yes: weightText(tally?.yes ?? 0n),
      abstain: weightText(tally?.abstain ?? 0n),
      no: weightText(tally?.no ?? 0n),
      no_with_veto: weightText(tally?.no_with_veto ?? 0n),
      voters: tally?.votes ?? 0,
    },
    submitted_height: row.submitted_height || null,
    submitted_at: row.submitted_height === 0 ? null : formatTimeNs(row.submitted_time_ns),
    submitted_tx_hash: txHashJson(row.submitted_tx_hash),
    voting_height: row.voting_height || null,
    ended_height: row.ended_height || null,
    log: row.log,
    updated_height: Math.max(row.height, tally?.height ?? 0),
  });
}

/** GovVote of openapi.yaml. */
export function voteText(row: VoteRow): string {
  const rest = {
    voter: row.voter,
    options: JSON.parse(row.options) as unknown,
    height: row.height,
    block_time: formatTimeNs(row.time_ns),
    tx_hash: txHashJson(row.tx_hash),
  };
  return `{"proposal_id":${row.proposal_id},${JSON.stringify(rest).slice(1)}`;
}
