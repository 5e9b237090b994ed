import { command } from 'strata-kit/cli/command';
import { height } from 'strata-kit/cli/kinds';
import { need, OWN_FLAG, setting } from 'strata-kit/cli/setting';
import { STORE, STORE_RULE, storeOf } from '../../settings/store.ts';

export const rewind = command({
  name: 'rewind',
  summary: 'take the newest blocks out of a store, to index them again',
  settings: STORE,
  rules: [STORE_RULE],
  flags: [
    need(
      setting('to', height, {
        ...OWN_FLAG,
        text: 'the newest height that may stay; the store goes back to the commit at or below it',
      }),
      'a height',
    ),
  ],
  examples: ['strata rewind --to 120344 --data ./data'],
  options: ({ to, ...given }) => ({ store: storeOf(given), toHeight: to }),
  run: async (options, context) => (await import('../run/rewind.ts')).rewind(options, context),
});
