import { askApp } from './client.ts';
import { type Asked, queries, useAsk } from './queries.ts';

/** `GET /api/chain`: what pages cannot ask the indexer for. */
export interface ChainFacts {
  readonly chain_id: string;
  readonly evm_chain_id: string | null;
  readonly hrp: string;
  readonly namespace: string;
  readonly gas_denom: string;
  readonly gas_decimals: number;
  readonly gas_symbol: string;
  readonly stable_denom: string;
  readonly stable_decimals: number;
  readonly stable_symbol: string;
  /** In gas_denom, for one unit of gas. */
  readonly min_gas_price: string;
  readonly evm_rpc_url: string | null;
  readonly contracts: {
    readonly factory: string;
    readonly router: string | null;
    readonly stable: string;
    readonly wrapped_native: string;
  } | null;
  readonly names: readonly { readonly address: string; readonly name: string }[];
}

const KEY = ['chain'];

export function useChain(): Asked<ChainFacts> {
  return useAsk(KEY, askChain, { everyMs: 60_000 });
}

/** More than it ever takes; amounts are shown in base units where it takes longer. */
const PATIENCE_MS = 2_000;

/** Resolves when it has been answered once, has failed, or does not come. */
export async function chainAtHand(): Promise<void> {
  if (queries.getQueryData(KEY) !== undefined) return;
  await queries.prefetchQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => askChain(AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)])),
    retry: false,
  });
}

function askChain(signal: AbortSignal): Promise<ChainFacts> {
  return askApp<ChainFacts>('/api/chain', undefined, signal);
}

export interface DenomText {
  readonly symbol: string;
  readonly decimals: number;
}

/** How amounts of a denom are written; one that is not known stays in base units under its own name. */
export function denomText(chain: ChainFacts | undefined, denom: string): DenomText {
  if (chain !== undefined && denom === chain.gas_denom)
    return { symbol: chain.gas_symbol, decimals: chain.gas_decimals };
  if (chain !== undefined && denom === chain.stable_denom)
    return { symbol: chain.stable_symbol, decimals: chain.stable_decimals };
  return { symbol: denom, decimals: 0 };
}
