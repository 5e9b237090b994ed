import { useQueries } from '@tanstack/preact-query';
import type { Prices } from '../../../../clients/ts/src/client.ts';
import type { Range } from '../text/markets.ts';
import { useAnswer } from './answers.ts';
import { useChain } from './chain.ts';
import { askApp, told, v1 } from './client.ts';
import { type AskError, asAskError } from './errors.ts';
import { type Asked, again } from './queries.ts';

const ASK_MS = 5_000;

/** Nothing is asked where the chain has no exchange, which `useHasPools` tells. */
export function usePrices(asset: string, range: Range): Asked<Prices> {
  const hasPools = useHasPools();
  return useAnswer(['prices', asset, range], () => pricesOf(asset, range), {
    everyMs: ASK_MS,
    enabled: hasPools === true,
  });
}

/** Whether the chain has an exchange whose pools the indexer reads; undefined until that is known. */
export function useHasPools(): boolean | undefined {
  const { data: chain } = useChain();
  return chain === undefined ? undefined : chain.contracts !== null;
}

function pricesOf(asset: string, range: Range): Promise<Prices> {
  return told(v1.GET('/v1/prices/{asset}', { params: { path: { asset }, query: { range } } }));
}

/** The prices of the last day; undefined while they are asked for, the error where there are none. */
export function useDayPrices(assets: readonly string[]): readonly (Prices | AskError | undefined)[] {
  return useQueries({
    queries: assets.map((asset) => ({
      queryKey: ['prices', asset, '1d'],
      queryFn: () => pricesOf(asset, '1d'),
      refetchInterval: again(ASK_MS),
    })),
    combine: (answers) =>
      answers.map(({ data, error }) => data ?? (error === null ? undefined : asAskError(error))),
  });
}

/** An asset that the desk trades. */
export interface Instrument {
  readonly symbol: string;
  readonly name: string;
  readonly asset_id: string;
}

/** As the app names the desk's account (testnet/src/chain.ts); without that name there is no desk to ask. */
const DESK = 'Desk';

/** What the desk trades, which are assets with a pool; none where the app has no desk. */
export function useInstruments(): Asked<readonly Instrument[]> {
  const chain = useChain();
  const hasDesk = chain.data?.names.some(({ name }) => name === DESK);
  const desk = useAnswer(
    ['desk', 'instruments'],
    async (signal) =>
      (await askApp<{ readonly instruments: readonly Instrument[] }>('/api/desk', undefined, signal))
        .instruments,
    { enabled: hasDesk === true },
  );
  // until the chain is known, nobody knows whether there is one
  const isWaiting = chain.isWaiting || desk.isWaiting;
  return hasDesk === false ? { ...desk, data: [], isWaiting } : { ...desk, isWaiting };
}
