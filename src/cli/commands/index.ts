import { command } from 'strata-kit/cli/command';
import { ADMIN } from '../../settings/serving.ts';
import { TUNING } from '../../settings/tuning.ts';
import {
  COMPARING,
  HEIGHTS,
  INDEXING_RULES,
  indexOptions,
  SOURCE,
  UNSEEN,
  WRITING,
} from '../indexing-options.ts';

export const index = command({
  name: 'index',
  summary: 'index a chain: backfill, then follow the head',
  settings: [...SOURCE, ...COMPARING, ...HEIGHTS, ...WRITING, ...ADMIN, ...TUNING, ...UNSEEN],
  rules: INDEXING_RULES,
  examples: [
    'strata index --rpc http://127.0.0.1:26657',
    'strata index --rpc https://a.example,https://b.example --from 1 --to 100000',
    'strata index --capture ./capture --data ./data',
  ],
  options: indexOptions,
  run: async (options, context) => (await import('../run/index.ts')).index(options, context),
});
