import { MINT } from '../../dex/logs.ts';
import { openPairQuest } from '../pair-logs.ts';
import type { Quest } from '../quest.ts';

export const addLiquidityQuest: Quest = {
  id: 'add_liquidity',
  title: 'Add liquidity',
  how: 'Liquidity added to a pool of the exchange, in an Ethereum transaction that you sent.',
  open: (setup) => openPairQuest(MINT, setup),
};
