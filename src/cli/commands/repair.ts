import { command } from 'strata-kit/cli/command';
import { height } from 'strata-kit/cli/kinds';
import { need, OWN_FLAG, setting } from 'strata-kit/cli/setting';
import { TUNING } from '../../settings/tuning.ts';
import { INDEXING_RULES, indexOptions, SOURCE, UNSEEN, WRITING } from '../indexing-options.ts';

export const repair = command({
  name: 'repair',
  summary: 'take a bad block again: back to the commit before it, and on from there',
  settings: [...SOURCE, ...WRITING, ...TUNING, ...UNSEEN],
  rules: INDEXING_RULES,
  flags: [
    need(
      setting('height', height, {
        ...OWN_FLAG,
        text: 'of the bad block. State is derived in the order of heights: all above it is indexed again',
      }),
      'a height',
    ),
  ],
  examples: ['strata repair --height 120344 --rpc http://127.0.0.1:26657 --data ./data'],
  options: ({ height: badHeight, ...given }, surroundings) => {
    const unused = { from: undefined, to: undefined, verifyEvery: 0, verifyDeepEvery: 0 };
    const nowhere = { admin: undefined, readyLag: 0 };
    return { ...indexOptions({ ...given, ...unused, ...nowhere }, surroundings), height: badHeight };
  },
  run: async (options, context) => (await import('../run/repair.ts')).repair(options, context),
});
