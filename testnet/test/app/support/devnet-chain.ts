import { type Devnet, type DevnetOptions, openDevnet } from 'strata-devnet/devnet';
import { genesisContracts } from 'strata-devnet/modules/evm/genesis';
import { startRpc } from 'strata-devnet/rpc/server';
import { queryChain } from 'strata-kit/client/accounts';
import { keyFromSeed } from 'strata-kit/client/keys';
import { connectNode, type Node } from 'strata-kit/client/node';
import { inlineSimulations } from '../../../../test/support/inline-simulations.ts';
import type { Chain } from '../../../src/chain.ts';

/** The reference chain in this process, as the app's parts see one: over its node. */
export interface DevnetChain {
  readonly devnet: Devnet;
  readonly chain: Chain;
  readonly url: string;
  /** The bank's balance. */
  balance(address: string, denom: string): Promise<bigint>;
  close(): Promise<void>;
}

export const FAUCET = keyFromSeed('eth_secp256k1', 'strata/devnet/service/faucet');

/** It makes no blocks until `devnet.start()`. */
export async function openDevnetChain(options: DevnetOptions = {}): Promise<DevnetChain> {
  const devnet = await openDevnet({ blockTimeMs: 40, simulations: inlineSimulations, ...options });
  const rpc = await startRpc({ chain: devnet.chain, port: 0 });
  const chain = chainOf(devnet, connectNode(rpc.url));
  return {
    devnet,
    chain,
    url: rpc.url,
    async balance(address, denom) {
      const answer = await chain.query('/cosmos.bank.v1beta1.Query/Balance', { address, denom });
      return BigInt(String((answer.balance as { amount?: string } | null)?.amount ?? 0));
    },
    async close() {
      await rpc.close();
      await devnet.stop();
    },
  };
}

export function chainOf({ app, parameters }: Pick<Devnet, 'app' | 'parameters'>, node: Node): Chain {
  const { chainId, evmChainId, hrp, namespace, gasDenom, minGasPrice, stableDenom } = parameters;
  return {
    facts: {
      ...{ chainId, evmChainId, hrp, namespace, gasDenom, minGasPrice, stableDenom },
      evmRpcUrl: undefined,
      contracts: genesisContracts(parameters),
      names: [],
    },
    node,
    codec: app.codec,
    query: (path, request) => queryChain(app.codec, node, path, request),
  };
}
