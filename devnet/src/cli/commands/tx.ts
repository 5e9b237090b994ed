import { wordsCommand } from 'strata-kit/cli/command';
import { untilStopped } from '../chain-user.ts';

export const tx = wordsCommand({
  name: 'tx',
  summary: 'sign and send txs of the reference chain: strata tx <group> <operation> …',
  run: async (words, context) => {
    const body = await import('../run/tx.ts');
    await untilStopped(context, () => body.tx(words, context));
  },
});
