import { command } from 'strata-kit/cli/command';
import { ADMIN, API } from '../../settings/serving.ts';
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

export const start = command({
  name: 'start',
  summary: 'index and serve in one process',
  settings: [...SOURCE, ...COMPARING, ...HEIGHTS, ...WRITING, ...API, ...ADMIN, ...TUNING, ...UNSEEN],
  rules: INDEXING_RULES,
  examples: [
    'strata start --rpc http://127.0.0.1:26657',
    'STRATA_RPC=http://127.0.0.1:26657 strata start --config strata.yaml',
  ],
  options: (given, surroundings) => ({
    ...indexOptions(given, surroundings),
    listen: given.listen,
    http: { kind: given.http },
  }),
  run: async (options, context) => (await import('../run/start.ts')).start(options, context),
});
