import type { Route } from './route.ts';
import { accountTxsRoute } from './routes/account-txs.ts';
import { blockRoute } from './routes/block.ts';
import { blocksRoute } from './routes/blocks.ts';
import { lookupRoute } from './routes/lookup.ts';
import { openapiRoute } from './routes/openapi.ts';
import { statsRoute } from './routes/stats.ts';
import { statusRoute } from './routes/status.ts';
import { txRoute } from './routes/tx.ts';
import { txsRoute } from './routes/txs.ts';

/** Every route that is served, in the order of api.md. openapi.yaml is held against this list and the modules'. */
export const ROUTES: readonly Route[] = [
  openapiRoute,
  statusRoute,
  statsRoute,
  blocksRoute,
  blockRoute,
  txsRoute,
  txRoute,
  accountTxsRoute,
  lookupRoute,
];
