import type { Account } from '../../../../clients/ts/src/client.ts';
import { useAnswer } from './answers.ts';
import { told, v1 } from './client.ts';
import type { Asked } from './queries.ts';

const ASK_MS = 4_000;

/** What an account holds and may claim, as the indexer has it; an account that nobody has heard of holds nothing. */
export function useAccount(address: string | undefined): Asked<Account> {
  return useAnswer(
    ['account', address],
    () => told(v1.GET('/v1/accounts/{addr}', { params: { path: { addr: address ?? '' } } })),
    { everyMs: ASK_MS, enabled: address !== undefined },
  );
}
