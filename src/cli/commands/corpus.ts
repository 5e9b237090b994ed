import { command } from 'strata-kit/cli/command';
import { path, text, wholeNumber } from 'strata-kit/cli/kinds';
import { need, OWN_FLAG, setting, vary } from 'strata-kit/cli/setting';
import { seed } from 'strata-kit/settings/chain';

export const corpus = command({
  name: 'corpus',
  summary: "write blocks of the reference chain's workload as a capture, and print their SHA-256",
  settings: [vary(seed, { text: 'of keys and of what the accounts do' })],
  flags: [
    setting('blocks', wholeNumber(1, 10_000_000), { ...OWN_FLAG, text: 'how many blocks', default: '1000' }),
    setting('txsPerBlock', wholeNumber(1, 1_000), {
      ...OWN_FLAG,
      text: 'txs of a block, at most',
      default: '10',
    }),
    setting('clock', text('a script', '<script>'), {
      ...OWN_FLAG,
      text: 'steps between blocks, such as 1s*30,6h*10,1d*3, again from the first after the last (default: 5s)',
    }),
    need(
      setting('out', path('a folder', '<folder>'), { ...OWN_FLAG, text: 'the folder to make' }),
      'a place',
    ),
  ],
  examples: [
    'strata corpus --blocks 1000 --txs-per-block 10 --seed 1 --out ./corpus',
    'strata corpus --blocks 300 --clock 1s*30,6h*10,1d*3 --out ./days',
  ],
  options: ({ out, ...given }) => ({ ...given, folder: out }),
  run: async (options, context) => (await import('../run/corpus.ts')).corpus(options, context),
});
