import type { Chain } from '../chain.ts';
import type { Part } from '../part.ts';
import type { Sender } from '../sender.ts';
import { broadcastRoute } from './broadcast.ts';
import { chainJson } from './chain-json.ts';
import { faucetRoute } from './faucet.ts';
import { queryRoute } from './query.ts';

export interface AccessOptions {
  readonly chain: Chain;
  /** Undefined: there is no faucet. */
  readonly faucet: Sender | undefined;
  /** How long a request waits for its block; 10 s. */
  readonly faucetWaitMs?: number;
}

/** What pages need of the chain itself: its facts, the faucet, txs to send, queries. */
export function accessPart({ chain, faucet, faucetWaitMs }: AccessOptions): Part {
  return {
    name: 'access',
    routes(server) {
      server.get('/api/chain', () => chainJson(chain.facts));
      faucetRoute(server, chain, faucet, faucetWaitMs);
      broadcastRoute(server, chain.node);
      queryRoute(server, chain);
    },
  };
}
