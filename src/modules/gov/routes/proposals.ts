import { StrataError } from 'strata-kit/errors';
import { uint64Field } from '../../../api/cursor-fields.ts';
import { pathParam, type Route } from '../../../api/route.ts';
import { parseRecordId } from '../../record-json.ts';
import { STATUSES } from '../derivation.ts';
import { proposalOf, proposalsPage, proposalTexts } from '../gov-read.ts';
import { listPage } from './lists.ts';

const PATH = '/v1/x/gov/proposals';

/** Proposals, newest first. */
export const proposalsRoute: Route = {
  path: PATH,
  query: ['status', 'limit', 'cursor'],
  cache: 'head',
  handle: async (request, context) => {
    const status = parseStatus(request.query.get('status'));
    const page = listPage(request, context, [PATH, status ?? ''], uint64Field);
    const found = await proposalsPage(context, page, status);
    const texts = await proposalTexts(context, page.shown(found), page.height);
    const next = page.next(found, ({ proposal_id: id }) => id);
    return { parts: [`{"proposals":[${texts.join(',')}],"next_cursor":${next}}`] };
  },
};

export const proposalRoute: Route = {
  path: `${PATH}/{id}`,
  query: [],
  cache: 'head',
  handle: async (request, context) => {
    const proposal = await proposalOf(context, parseRecordId(pathParam(request, 'id')));
    if (proposal === undefined) throw new StrataError('not_found', 'there is no such proposal');
    const [text] = await proposalTexts(context, [proposal], context.snapshot.indexedHeight);
    return { parts: [`{"proposal":${text}}`] };
  },
};

/** Errors: bad_request. */
function parseStatus(text: string | undefined): string | undefined {
  if (text === undefined || STATUSES.some((known) => known === text)) return text;
  throw new StrataError('bad_request', `status must be one of ${STATUSES.join(', ')}`);
}
