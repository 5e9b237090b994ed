import type { Quest } from '../quest.ts';

export const evmTxQuest: Quest = {
  id: 'evm_tx',
  title: 'Send an EVM transaction',
  how: 'An Ethereum transaction that you sent and that succeeded.',
  open: ({ addressOf, complete }) => ({
    wishes: { evmTxs: true },
    seeBlock({ evmTxs }) {
      for (const { sender } of evmTxs) complete(addressOf(sender));
    },
  }),
};
