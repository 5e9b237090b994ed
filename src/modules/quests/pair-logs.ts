import { PAIR_CREATED } from '../dex/logs.ts';
import { senderOf } from './messages.ts';
import type { OpenQuest, QuestSetup } from './quest.ts';

/** Completes a quest for whoever sent the message in which a pair of the configured factory told `topic`. */
export function openPairQuest(topic: string, setup: QuestSetup): OpenQuest {
  const { factory } = setup.parameters.evm;
  if (factory === undefined) return {};
  return {
    wishes: {
      logs: [{ address: factory, topics: [], children: { told: PAIR_CREATED, topics: [topic] } }],
      evmTxs: true,
    },
    seeBlock(block) {
      for (const log of block.logs) {
        if (log.topics[0] !== topic || !setup.dex.isPair(log.address)) continue;
        const sender = senderOf(block, log);
        if (sender !== undefined) setup.complete(setup.addressOf(sender));
      }
    },
  };
}
