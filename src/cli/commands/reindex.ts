import { command } from 'strata-kit/cli/command';
import { text } from 'strata-kit/cli/kinds';
import { OWN_FLAG, setting } from 'strata-kit/cli/setting';
import { chain } from 'strata-kit/settings/chain';
import { forceModules, modules } from '../../settings/modules.ts';
import { STEPS, stepsOf } from '../../settings/steps.ts';
import { CLUSTER, clusteredStoreOf, STORE, STORE_RULE } from '../../settings/store.ts';

export const reindex = command({
  name: 'reindex',
  summary: 'derive the modules again from what the store holds, while it is served',
  settings: [...STORE, ...CLUSTER, modules, forceModules, chain, ...STEPS],
  rules: [STORE_RULE],
  flags: [
    setting('module', text('the name of a module', '<name>'), {
      ...OWN_FLAG,
      text: 'this one alone, where no other depends on it (default: all)',
    }),
  ],
  examples: ['strata reindex --data ./data', 'strata reindex --data ./data --module attestation'],
  options: (given) => ({
    store: clusteredStoreOf(given),
    module: given.module,
    namespace: given.chain.namespace,
    modulePaths: given.modules,
    forceModules: given.forceModules,
    steps: stepsOf(given),
  }),
  run: async (options, context) => (await import('../run/reindex.ts')).reindex(options, context),
});
