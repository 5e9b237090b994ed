import type { Module } from '../../app/module.ts';
import { initPayout } from './genesis.ts';
import { payoutInvariants } from './invariants.ts';
import { payoutMessages } from './messages.ts';
import { payoutQueries } from './queries.ts';

export const payoutModule: Module = {
  name: 'payout',
  messages: payoutMessages,
  queries: payoutQueries,
  initGenesis: initPayout,
  invariants: payoutInvariants,
};
