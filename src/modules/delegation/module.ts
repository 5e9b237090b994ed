import type { Module } from '../module.ts';
import { delegationDerivation } from './derivation.ts';

export const delegation: Module = { name: 'delegation', derivation: delegationDerivation, routes: [] };
