import type { Module } from '../module.ts';
import { questsDerivation } from './derivation.ts';
import { leaderboardRoute } from './routes/leaderboard.ts';
import { questsRoute } from './routes/quests.ts';

/** Ten first steps on the chain, who has taken them, and in which order. */
export const quests: Module = {
  name: 'quests',
  derivation: questsDerivation,
  routes: [leaderboardRoute, questsRoute],
};
