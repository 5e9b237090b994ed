/**
 * What happened in a tx, in the five classes that have a colour on the pages. Pure, and used on both sides: by the layers
 * that the server counts and by the lists that pages show.
 */
export const WHATS = ['transfers', 'evm', 'assets', 'markets', 'failed'] as const;
export type What = (typeof WHATS)[number];

export const WHAT_WORDS: Readonly<Record<What, string>> = {
  transfers: 'Transfers',
  evm: 'EVM',
  assets: 'Assets',
  markets: 'Markets',
  failed: 'Failed',
};

/** The parts of a Tx of `/v1` that say it. */
export interface ToldTx {
  readonly code: number;
  readonly evm: { readonly status: number } | null;
  readonly msgs: readonly { readonly '@type'?: unknown }[];
}

const MARKETS = /\.(settlement|waterfall|bridge)\.v\d+\.Msg/;
const EVM = /MsgEthereumTx$/;

/**
 * Failed first, whatever it was to be, a revert of the EVM included; then by the first message: markets are settlements,
 * liquidations and bridges, assets the chain's other modules, transfers all that any chain of the SDK has.
 */
export function whatOf(tx: ToldTx, namespace: string): What {
  return isFailed(tx) ? 'failed' : whatOfMethod(String(tx.msgs[0]?.['@type'] ?? ''), namespace);
}

/** Refused by the chain, or reverted by its EVM. */
export function isFailed({ code, evm }: Pick<ToldTx, 'code' | 'evm'>): boolean {
  return code !== 0 || evm?.status === 0;
}

export function whatOfMethod(method: string, namespace: string): What {
  if (EVM.test(method)) return 'evm';
  if (!method.startsWith(`/${namespace}.`)) return 'transfers';
  return MARKETS.test(method) ? 'markets' : 'assets';
}
