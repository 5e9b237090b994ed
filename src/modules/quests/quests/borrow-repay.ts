import { topicAddress } from '../../dex/logs.ts';
import { REPAY } from '../../lending-logs.ts';
import { senderOf } from '../messages.ts';
import type { Quest } from '../quest.ts';

export const borrowRepayQuest: Quest = {
  id: 'borrow_repay',
  title: 'Repay a loan',
  how: 'A loan of the lending market repaid for you.',
  open({ parameters, addressOf, complete }) {
    const { lendingMarket } = parameters.evm;
    if (lendingMarket === undefined) return {};
    return {
      wishes: { logs: [{ address: lendingMarket, topics: [REPAY] }], evmTxs: true },
      seeBlock(block) {
        for (const log of block.logs) {
          const [topic, account] = log.topics;
          if (log.address !== lendingMarket || topic !== REPAY || account === undefined) continue;
          if (senderOf(block, log) !== undefined) complete(addressOf(topicAddress(account)));
        }
      },
    };
  },
};
