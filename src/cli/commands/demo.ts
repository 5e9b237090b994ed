import { command } from 'strata-kit/cli/command';
import { onOff } from 'strata-kit/cli/kinds';
import { OWN_FLAG, setting, vary } from 'strata-kit/cli/setting';
import { chain, data, history } from 'strata-kit/settings/chain';
import { allowedHosts, listen } from 'strata-kit/settings/listening';
import { pace } from '../../settings/replay.ts';
import { http } from '../../settings/serving.ts';
import { capture } from '../../settings/source.ts';
import { TUNING, tuningOf } from '../../settings/tuning.ts';

export const demo = command({
  name: 'demo',
  summary: 'run the reference chain with 14 days of history, index it, and open the pages over it',
  settings: [
    vary(capture, { text: 'another recording than the one that comes with Strata' }),
    pace,
    // the daily series' 14 days
    vary(history, { text: 'days before now in which the chain begins', default: '14' }),
    vary(data, { text: 'what it keeps', default: './data/demo' }),
    vary(listen, { text: 'where the app answers, the API with it' }),
    http,
    allowedHosts,
    ...TUNING,
    chain,
  ],
  flags: [
    setting('recorded', onOff, {
      ...OWN_FLAG,
      text: 'the recording of a real chain, replayed, instead of the reference chain',
      preset: false,
    }),
  ],
  examples: ['strata demo', 'strata demo --recorded', 'strata demo --recorded --pace 100'],
  options: (given, surroundings) => ({
    captureFolder: given.capture,
    isRecorded: given.recorded || given.capture !== undefined,
    historyDays: given.history,
    folder: given.data,
    listen: given.listen,
    allowedHosts: given.allowedHosts,
    http: { kind: given.http },
    paceMs: given.pace,
    ...tuningOf(given, surroundings),
    chain: given.chain,
  }),
  run: async (options, context) => (await import('../run/demo.ts')).demo(options, context),
});
