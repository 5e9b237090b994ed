import { command } from 'strata-kit/cli/command';
import { DEVNET } from '../settings.ts';

export const devnet = command({
  name: 'devnet',
  summary: 'run a chain of its own with every module, an EVM and a workload',
  settings: DEVNET,
  examples: [
    'strata devnet',
    'strata devnet --home ./chain --seed 7 --clock simulated --block-time 0',
    'strata devnet --workload none --fault halt@100',
  ],
  run: async (options, context) => (await import('../run/devnet.ts')).devnet(options, context),
});
