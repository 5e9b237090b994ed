import type { Module } from '../module.ts';
import { govDerivation } from './derivation.ts';
import { proposalRoute, proposalsRoute } from './routes/proposals.ts';
import { accountVotesRoute, proposalVotesRoute } from './routes/votes.ts';

export const gov: Module = {
  name: 'gov',
  derivation: govDerivation,
  routes: [proposalsRoute, proposalRoute, proposalVotesRoute, accountVotesRoute],
};
