import type { Chain } from '../chain.ts';
import type { Part } from '../part.ts';
import type { Sender } from '../sender.ts';
import { chainJson } from './chain-json.ts';

/** What pages need of the chain itself: its facts, the faucet, txs to send, queries. */
export function accessPart({ chain }: { readonly chain: Chain; readonly faucet: Sender | undefined }): Part {
  return {
    name: 'access',
    routes(server) {
      server.get('/api/chain', () => chainJson(chain.facts));
    },
  };
}
