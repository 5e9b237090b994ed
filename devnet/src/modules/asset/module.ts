import type { Module } from '../../app/module.ts';
import { initAssets } from './genesis.ts';
import { assetInvariants } from './invariants.ts';
import { assetMessages } from './messages.ts';
import { assetQueries } from './queries.ts';

export const assetModule: Module = {
  name: 'asset',
  messages: assetMessages,
  queries: assetQueries,
  initGenesis: initAssets,
  invariants: assetInvariants,
};
