import type { Mutation } from '../mutation.ts';
import { DEALS } from './modules-deals.ts';
import { HOLDINGS } from './modules-holdings.ts';
import { MARKETS } from './modules-markets.ts';

export const MODULES: readonly Mutation[] = [...HOLDINGS, ...DEALS, ...MARKETS];
