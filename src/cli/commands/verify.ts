import { command } from 'strata-kit/cli/command';
import { height, onOff } from 'strata-kit/cli/kinds';
import { need, OWN_FLAG, setting } from 'strata-kit/cli/setting';
import { chain } from 'strata-kit/settings/chain';
import { rpc, rpcCa } from 'strata-kit/settings/nodes';
import { chainId, nodesOf, rps } from '../../settings/source.ts';
import { STORE, STORE_RULE, storeOf } from '../../settings/store.ts';
import { assetId } from '../own-kinds.ts';

export const verify = command({
  name: 'verify',
  summary: "compare what is derived with the chain's own numbers, and print what agrees and what does not",
  settings: [need(rpc, 'the nodes to ask'), rpcCa, rps, chainId, ...STORE, chain],
  rules: [STORE_RULE],
  flags: [
    setting('height', height, {
      ...OWN_FLAG,
      text: 'as of this height (default: the newest that store and nodes have)',
    }),
    setting('asset', assetId, { ...OWN_FLAG, text: 'this asset alone' }),
    setting('deep', onOff, {
      ...OWN_FLAG,
      text: "also every record of every module, against the chain's exports",
      preset: false,
    }),
    setting('json', onOff, { ...OWN_FLAG, text: 'print everything as JSON', preset: false }),
  ],
  examples: [
    'strata verify --rpc http://127.0.0.1:26657 --data ./data',
    'strata verify --rpc http://127.0.0.1:26657 --data ./data --height 120344 --deep',
  ],
  options: (given) => {
    const { urls, access } = nodesOf(given);
    return {
      rpcUrls: urls,
      nodeAccess: access,
      chainId: given.chainId,
      namespace: given.chain.namespace,
      store: storeOf(given),
      height: given.height,
      assetId: given.asset,
      deep: given.deep,
      json: given.json,
    };
  },
  run: async (options, context) => (await import('../run/verify.ts')).verify(options, context),
});
