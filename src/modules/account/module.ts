import type { Module } from '../module.ts';
import { accountRoute } from './routes/account.ts';

/** What all modules know of an account, on one page; it derives nothing itself. */
export const account: Module = { name: 'account', routes: [accountRoute] };
