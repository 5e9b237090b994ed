import { ascending, command } from 'strata-kit/cli/command';
import { height, onOff } from 'strata-kit/cli/kinds';
import { OWN_FLAG, setting } from 'strata-kit/cli/setting';
import { STORE, STORE_RULE, storeOf } from '../../settings/store.ts';

const from = setting('from', height, { ...OWN_FLAG, text: "first height (default: the store's first)" });
const to = setting('to', height, { ...OWN_FLAG, text: 'last height (default: the newest)' });

export const coverage = command({
  name: 'coverage',
  summary: 'print which messages and events are decoded, and which are kept in base64',
  settings: STORE,
  rules: [STORE_RULE, ascending(from, to)],
  flags: [from, to, setting('json', onOff, { ...OWN_FLAG, text: 'print it as JSON', preset: false })],
  examples: ['strata coverage --data ./data', 'strata coverage --data ./data --from 5000 --to 6000 --json'],
  options: ({ from: fromHeight, to: toHeight, json, ...given }) => ({
    store: storeOf(given),
    range: { fromHeight, toHeight },
    json,
  }),
  run: async (options, context) => (await import('../run/coverage.ts')).coverage(options, context),
});
