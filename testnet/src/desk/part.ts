import type { Part } from '../part.ts';
import type { Desk } from './desk.ts';
import { MAX_TRADE } from './quote.ts';
import { PROPOSAL_SECONDS } from './rfq.ts';

/** The trade desk's routes; amounts are decimal texts. */
export function deskPart({ address, isPaused, book, rfq, run }: Desk): Part {
  return {
    name: 'desk',
    routes(server) {
      server.get('/api/desk', async () => ({
        address,
        paused: isPaused(),
        instruments: (await book.standings()).map(({ listed: { symbol, name, asset }, closed, largest }) => ({
          symbol,
          name,
          asset_id: asset.id,
          decimals: asset.decimals,
          closed: closed ?? null,
          max_trade: String(largest),
          kinds: asset.lots
            .filter(({ className }) => className !== '')
            .map(({ kind, className }) => ({ kind_id: kind, class: className })),
        })),
        max_trade: String(MAX_TRADE),
        proposal_seconds: PROPOSAL_SECONDS,
      }));
      server.get('/api/desk/quotes', async () => ({
        quotes: (await book.quotes()).map(({ symbol, name, kind, bid, ask }) => ({
          symbol,
          name,
          kind,
          bid: bid === null ? null : String(bid),
          ask: ask === null ? null : String(ask),
        })),
      }));
      server.post('/api/desk/rfq', { bodyLimit: 4_096 }, (request) => rfq(request.body, request.ip));
    },
    run,
  };
}
