import { bech32Of } from 'strata-kit/client/keys';
import { testnetDeskKey } from 'strata-kit/client/testnet-desk';
import type { ChainParameters } from './app/parameters.ts';
import { type GenesisContracts, genesisContracts } from './modules/evm/genesis.ts';
import { SERVICES, serviceAccount } from './workload/accounts.ts';

/** What an indexer of this chain is to be configured with and cannot ask the chain for: its `chain:` section. */
export interface ChainSection {
  readonly namespace: string;
  readonly stableDenom: string;
  /** EIP-55 addresses. */
  readonly evm: Pick<GenesisContracts, 'factory' | 'router' | 'stable' | 'wrappedNative' | 'lendingMarket'>;
  /** Bech32, with the faucet and the desk of `strata app --testnet`. */
  readonly serviceAccounts: readonly string[];
  readonly faucet: string;
}

export function chainSection(parameters: ChainParameters): ChainSection {
  const { factory, router, stable, wrappedNative, lendingMarket } = genesisContracts(parameters);
  const { namespace, stableDenom, hrp } = parameters;
  return {
    namespace,
    stableDenom,
    evm: { factory, router, stable, wrappedNative, lendingMarket },
    // the desk's trades are the testnet's own work, as the faucet's gifts are
    serviceAccounts: [
      ...SERVICES.map((name) => serviceAccount(name, hrp).address),
      bech32Of(hrp, testnetDeskKey()),
    ],
    faucet: serviceAccount('faucet', hrp).address,
  };
}

/** The file that `strata start --config` takes to index the chain from its node. */
export function indexerFile(
  rpcUrl: string,
  { namespace, stableDenom, evm, serviceAccounts, faucet }: ChainSection,
): string {
  return `# What indexes this chain: strata start --config <this file>. The chain writes it anew at each start.
rpc: ${rpcUrl}
chain:
  namespace: ${namespace}
  stable_denom: ${stableDenom}
  evm:
    factory: '${evm.factory}'
    router: '${evm.router}'
    stable: '${evm.stable}'
    wrapped_native: '${evm.wrappedNative}'
    lending_market: '${evm.lendingMarket}'
  service_accounts:
${serviceAccounts.map((account) => `    - ${account}`).join('\n')}
  faucet: ${faucet}
`;
}
