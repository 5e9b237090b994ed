import type { Module } from '../module.ts';
import { invariantsRoute } from './routes/invariants.ts';

/** Derives nothing: its rows come from comparisons with the chain (src/reconcile). */
export const reconciliation: Module = { name: 'reconciliation', routes: [invariantsRoute] };
