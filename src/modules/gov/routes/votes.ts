import { textField, uint64Field } from '../../../api/cursor-fields.ts';
import { parseAddress } from '../../../api/params.ts';
import { pathParam, type Route } from '../../../api/route.ts';
import { parseRecordId } from '../../record-json.ts';
import { votesOfAccount, votesOnProposal, voteText } from '../gov-read.ts';
import { listPage } from './lists.ts';

const OF_PROPOSAL = '/v1/x/gov/proposals/{id}/votes';
const OF_ACCOUNT = '/v1/x/gov/accounts/{addr}/votes';

/** The last vote of each account on a proposal, by voter. */
export const proposalVotesRoute: Route = {
  path: OF_PROPOSAL,
  query: ['limit', 'cursor'],
  cache: 'head',
  handle: async (request, context) => {
    const id = parseRecordId(pathParam(request, 'id'));
    const page = listPage(request, context, [OF_PROPOSAL, String(id)], textField);
    const found = await votesOnProposal(context, id, page);
    const votes = page.shown(found).map(voteText).join(',');
    return { parts: [`{"votes":[${votes}],"next_cursor":${page.next(found, ({ voter }) => voter)}}`] };
  },
};

/** The votes of an account by proposal, newest first. */
export const accountVotesRoute: Route = {
  path: OF_ACCOUNT,
  query: ['limit', 'cursor'],
  cache: 'head',
  handle: async (request, context) => {
    const voter = parseAddress(pathParam(request, 'addr'), context.chain.hrp).bech32;
    const page = listPage(request, context, [OF_ACCOUNT, voter], uint64Field);
    const found = await votesOfAccount(context, voter, page);
    const votes = page.shown(found).map(voteText).join(',');
    return { parts: [`{"votes":[${votes}],"next_cursor":${page.next(found, (row) => row.proposal_id)}}`] };
  },
};
