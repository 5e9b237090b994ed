import { SWAP } from '../../dex/logs.ts';
import { openPairQuest } from '../pair-logs.ts';
import type { Quest } from '../quest.ts';

export const swapQuest: Quest = {
  id: 'swap',
  title: 'Swap tokens',
  how: 'A swap in a pool of the exchange, in an Ethereum transaction that you sent.',
  open: (setup) => openPairQuest(SWAP, setup),
};
