import type { ChainFacts } from '../chain.ts';

/** The answer of `GET /api/chain`. */
export function chainJson(facts: ChainFacts) {
  const { contracts } = facts;
  return {
    chain_id: facts.chainId,
    evm_chain_id: facts.evmChainId === undefined ? null : String(facts.evmChainId),
    hrp: facts.hrp,
    namespace: facts.namespace,
    gas_denom: facts.gasDenom,
    gas_decimals: facts.gasDecimals ?? 18,
    gas_symbol: symbolOf(facts.gasDenom),
    stable_denom: facts.stableDenom,
    stable_decimals: 6,
    stable_symbol: symbolOf(facts.stableDenom),
    min_gas_price: String(facts.minGasPrice),
    evm_rpc_url: facts.evmRpcUrl ?? null,
    contracts:
      contracts === undefined
        ? null
        : {
            factory: contracts.factory,
            router: contracts.router ?? null,
            stable: contracts.stable,
            wrapped_native: contracts.wrappedNative,
          },
    names: facts.names,
  };
}

/** `aaeva` is AEVA and `uusd` USD: the letter before a denom is its exponent's (atto, micro). */
function symbolOf(denom: string): string {
  return /^[au][a-z0-9]{2,}$/.test(denom) ? denom.slice(1).toUpperCase() : denom;
}
