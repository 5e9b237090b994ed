import { wordsCommand } from 'strata-kit/cli/command';
import { untilStopped } from '../chain-user.ts';

export const keys = wordsCommand({
  name: 'keys',
  summary: 'make, list, show, import and export keys of a testnet',
  run: async (words, context) => {
    const body = await import('../run/keys.ts');
    await untilStopped(context, () => body.keys(words, context));
  },
});
