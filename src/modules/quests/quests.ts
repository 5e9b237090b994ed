import type { Quest } from './quest.ts';
import { addLiquidityQuest } from './quests/add-liquidity.ts';
import { borrowRepayQuest } from './quests/borrow-repay.ts';
import { claimIncomeQuest } from './quests/claim-income.ts';
import { delegateIncomeQuest } from './quests/delegate-income.ts';
import { evmTxQuest } from './quests/evm-tx.ts';
import { faucetQuest } from './quests/faucet.ts';
import { firstDividendQuest } from './quests/first-dividend.ts';
import { launchAssetQuest } from './quests/launch-asset.ts';
import { sellStripQuest } from './quests/sell-strip.ts';
import { swapQuest } from './quests/swap.ts';

/** Every quest, in the order of api.md; a quest's place is its bit in stored masks. */
export const QUESTS: readonly Quest[] = [
  faucetQuest,
  evmTxQuest,
  swapQuest,
  addLiquidityQuest,
  firstDividendQuest,
  claimIncomeQuest,
  sellStripQuest,
  borrowRepayQuest,
  launchAssetQuest,
  delegateIncomeQuest,
];

/** What quests are worth. */
export const RECOGNITION =
  'Badges and a place on the leaderboard are all there is: quests bring recognition, never rewards.';
