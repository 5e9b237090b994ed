import type { Module } from '../../app/module.ts';
import { initRights } from './genesis.ts';
import { rightsInvariants } from './invariants.ts';
import { rightsMessages } from './messages.ts';
import { rightsQueries } from './queries.ts';

export const rightsModule: Module = {
  name: 'rights',
  messages: rightsMessages,
  queries: rightsQueries,
  initGenesis: initRights,
  invariants: rightsInvariants,
};
