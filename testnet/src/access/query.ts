import type { FastifyInstance } from 'fastify';
import { hexToBytes } from 'strata-kit/bytes';
import { clientKey } from 'strata-kit/client-key';
import type { Chain } from '../chain.ts';
import { AppError } from '../errors.ts';
import { createLimit } from '../limits.ts';
import { createSeats, goneOf } from './seats.ts';

/** 6 KiB of a request: the tx of an asset with a dozen kinds, simulated; a URL of more would not pass other servers. */
const DATA_DIGITS = 12_288;
const PER_CLIENT = 600;
const SECONDS = 60;
/** Queries of a client that the node answers at once: a page asks a handful. */
const AT_ONCE = 8;

/** What pages ask a node directly, since it must be of this moment; everything else comes from the indexer. */
const PATHS = [
  '/cosmos.auth.v1beta1.Query/Account',
  '/cosmos.bank.v1beta1.Query/Balance',
  '/cosmos.bank.v1beta1.Query/AllBalances',
  '/cosmos.base.node.v1beta1.Service/Config',
  '/cosmos.tx.v1beta1.Service/Simulate',
  '/<ns>.asset.v1.Query/NextNonce',
  '/<ns>.asset.v1.Query/Asset',
  '/<ns>.rights.v1.Query/Position',
  '/<ns>.rights.v1.Query/Totals',
  '/<ns>.rights.v1.Query/Tokens',
  '/<ns>.payout.v1.Query/Accruals',
  '/<ns>.payout.v1.Query/Claimable',
  '/<ns>.settlement.v1.Query/Settlement',
  '/<ns>.encumbrance.v1.Query/Encumbrance',
  '/<ns>.delegation.v1.Query/Delegation',
  '/<ns>.bridge.v1.Query/Route',
] as const;

const QUERY = {
  type: 'object',
  required: ['path'],
  properties: {
    path: { type: 'string', maxLength: 200 },
    data: { type: 'string', maxLength: DATA_DIGITS },
  },
} as const;

/** `GET /api/chain/query`: an abci_query at the newest height, for paths of a list. */
export function queryRoute(server: FastifyInstance, { node, facts }: Pick<Chain, 'node' | 'facts'>): void {
  const clients = createLimit('queries from here', PER_CLIENT, SECONDS);
  const atOnce = createSeats(AT_ONCE);
  const allowed = new Set(PATHS.map((path) => path.replace('<ns>', facts.namespace)));
  server.get<{ Querystring: { path: string; data?: string } }>(
    '/api/chain/query',
    { schema: { querystring: QUERY } },
    async ({ query: { path, data = '' }, ip }, reply) => {
      if (!allowed.has(path))
        throw new AppError('bad_request', 'path is none of those that are answered here');
      const bytes = hexToBytes(data);
      if (bytes === undefined) throw new AppError('bad_request', 'data must be hex');
      const client = clientKey(ip);
      await clients.take(client);
      const { code, codespace, log, height, value } = await atOnce(client, () =>
        node.query(path, bytes, goneOf(reply.raw)),
      );
      return { code, codespace, log, height, value: Buffer.from(value).toString('base64') };
    },
  );
}
