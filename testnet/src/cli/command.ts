import { command } from 'strata-kit/cli/command';
import { need, vary } from 'strata-kit/cli/setting';
import { StrataError } from 'strata-kit/errors';
import { chain } from 'strata-kit/settings/chain';
import { admin, allowedHosts } from 'strata-kit/settings/listening';
import { rpc, rpcCa, testNodeWait } from 'strata-kit/settings/nodes';
import type { AppServices } from './run.ts';
import {
  appData,
  appListen,
  database,
  deskKey,
  deskPaused,
  evmRpc,
  faucetKey,
  indexer,
  instruments,
  RISK,
  riskOf,
  testnet,
  trustProxy,
} from './settings.ts';

export const app = (services: AppServices) =>
  command({
    name: 'app',
    summary: 'serve the web pages, the launchpad, the trade desk and the faucet beside an indexer',
    settings: [
      need(vary(rpc, { text: 'RPC of one node of the chain' }), 'a node of the chain'),
      rpcCa,
      indexer,
      evmRpc,
      appData,
      database,
      deskKey,
      faucetKey,
      instruments,
      testnet,
      deskPaused,
      ...RISK,
      appListen,
      trustProxy,
      allowedHosts,
      admin,
      chain,
      testNodeWait,
    ],
    examples: [
      'strata app --config ./data/devnet/indexer.yaml --testnet --evm-rpc http://127.0.0.1:8545',
      'strata app --rpc http://127.0.0.1:26657 --indexer http://127.0.0.1:8080 --faucet-key ./faucet.json',
    ],
    options: (given) => {
      const [node, ...others] = given.rpc;
      if (node === undefined || others.length > 0)
        throw new StrataError('config_invalid', 'app asks one node: give one URL to --rpc');
      return {
        rpcUrl: node.url,
        nodeFields: node.headers,
        caPath: given.rpcCa,
        nodeWaitMs: given.testNodeWait * 1_000,
        indexerUrl: given.indexer,
        evmRpcUrl: given.evmRpc,
        folder: given.data,
        databaseUrl: given.database,
        deskKeyPath: given.deskKey,
        faucetKeyPath: given.faucetKey,
        instruments: given.instruments,
        isTestnet: given.testnet,
        isDeskPaused: given.deskPaused,
        deskRisk: riskOf(given),
        listen: given.listen,
        trustedProxies: given.trustProxy,
        allowedHosts: given.allowedHosts,
        admin: given.admin,
        chain: given.chain,
      };
    },
    run: async (options, context) => (await import('./run.ts')).app(options, context, services),
  });
