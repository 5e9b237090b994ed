import { attestation } from './attestation/module.ts';
import type { Module } from './module.ts';

/**
 * Every module, in the order in which they see an event: payout settles what units have earned before rights moves them
 * (modules.md rule 4). A module stands behind those that it reads.
 */
export const MODULES: readonly Module[] = [attestation];
