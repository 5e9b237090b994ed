import { command } from 'strata-kit/cli/command';
import { onOff } from 'strata-kit/cli/kinds';
import { OWN_FLAG, setting } from 'strata-kit/cli/setting';
import { STORE, STORE_RULE, storeOf } from '../../settings/store.ts';

export const digest = command({
  name: 'digest',
  summary: 'print a SHA-256 per height range and one over the store',
  settings: STORE,
  rules: [STORE_RULE],
  flags: [
    setting('deep', onOff, {
      ...OWN_FLAG,
      text: 'read every row as it stands instead of the digests stored with them; compare with another --deep',
      preset: false,
    }),
  ],
  examples: ['strata digest --data ./data'],
  options: ({ deep, ...given }) => ({ store: storeOf(given), deep }),
  run: async (options, context) => (await import('../run/digest.ts')).digest(options, context),
});
