import { command } from 'strata-kit/cli/command';
import { onOff } from 'strata-kit/cli/kinds';
import { OWN_FLAG, setting } from 'strata-kit/cli/setting';
import { chain } from 'strata-kit/settings/chain';
import { chainId, NODES, nodesOf } from '../../settings/source.ts';
import { STORE, STORE_RULE, storeOf } from '../../settings/store.ts';

export const doctor = command({
  name: 'doctor',
  summary: 'look at nodes, store, disk and limits, and say what to do',
  settings: [...NODES, chainId, ...STORE, chain],
  rules: [STORE_RULE],
  flags: [setting('json', onOff, { ...OWN_FLAG, text: 'print the findings as JSON', preset: false })],
  examples: ['strata doctor --rpc http://127.0.0.1:26657 --data ./data', 'strata doctor --json'],
  options: (given) => ({
    nodes: nodesOf(given),
    chainId: given.chainId,
    chain: given.chain,
    store: storeOf(given),
    json: given.json,
  }),
  run: async (options, context) => (await import('../run/doctor.ts')).doctor(options, context),
});
