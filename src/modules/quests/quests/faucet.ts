import type { Quest } from '../quest.ts';

/** A tx in which the faucet pays its fee names the fee collector, which is no account of a person's. */
export const faucetQuest: Quest = {
  id: 'faucet',
  title: 'Get test tokens',
  how: 'A transfer from the faucet that you received.',
  open({ parameters: { faucet }, complete }) {
    if (faucet === undefined) return {};
    return {
      wishes: { transferSenders: [faucet] },
      seeBlock({ transfers }) {
        for (const { sender, recipient } of transfers) {
          if (sender === faucet && recipient !== faucet) complete(recipient);
        }
      },
    };
  },
};
