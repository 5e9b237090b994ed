import { command } from 'strata-kit/cli/command';
import { need, vary } from 'strata-kit/cli/setting';
import { FAULT_NAMES, parseFaults } from 'strata-kit/rpc/faults/names';
import { fault, seed } from 'strata-kit/settings/chain';
import { admin, listen } from 'strata-kit/settings/listening';
import { pace } from '../../settings/replay.ts';
import { capture } from '../../settings/source.ts';

export const replay = command({
  name: 'replay',
  summary: 'serve a capture as if it were a node',
  settings: [
    need(vary(capture, { text: 'the recorded chain to serve' }), 'a capture'),
    // where a node's RPC listens, so that it takes the place of one
    vary(listen, { default: '127.0.0.1:26657' }),
    pace,
    vary(fault, { text: `answer wrongly, name[:probability],…: ${FAULT_NAMES.join(', ')}` }),
    seed,
    admin,
  ],
  examples: [
    'strata replay --capture ./capture --pace 1000',
    'strata replay --capture ./capture --fault drop:0.1,throttle --seed 7',
  ],
  options: (given) => ({
    captureFolder: given.capture,
    listen: given.listen,
    paceMs: given.pace,
    admin: given.admin,
    faults: parseFaults(given.fault),
    seed: given.seed,
  }),
  run: async (options, context) => (await import('../run/replay.ts')).replay(options, context),
});
