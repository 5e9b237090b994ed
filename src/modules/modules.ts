import type { Route } from '../api/route.ts';
import { plainParameters } from '../derive/derivation.ts';
import { createDeriver } from '../derive/deriver.ts';
import { account } from './account/module.ts';
import { activity } from './activity/module.ts';
import { asset } from './asset/module.ts';
import { attestation } from './attestation/module.ts';
import { bridge } from './bridge/module.ts';
import { delegation } from './delegation/module.ts';
import { dex } from './dex/module.ts';
import { encumbrance } from './encumbrance/module.ts';
import { gov } from './gov/module.ts';
import type { Module } from './module.ts';
import { network } from './network/module.ts';
import { payout } from './payout/module.ts';
import { quests } from './quests/module.ts';
import { reconciliation } from './reconciliation/module.ts';
import { rights } from './rights/module.ts';
import { settlement } from './settlement/module.ts';
import { waterfall } from './waterfall/module.ts';

/**
 * Every module, in the order in which they see an event. A module stands behind those that it reads; `activity`, which
 * sees every event of the others, is the last.
 */
export const MODULES: readonly Module[] = [
  asset,
  rights,
  payout,
  settlement,
  encumbrance,
  attestation,
  delegation,
  waterfall,
  bridge,
  dex,
  network,
  quests,
  gov,
  reconciliation,
  activity,
  account,
];

/** What they serve beside the base layer's routes. */
export const MODULE_ROUTES: readonly Route[] = MODULES.flatMap(({ routes }) => routes);

/** Names of the modules that derive in every store. */
export function baseModulesOf(modules: readonly Module[] = MODULES): ReadonlySet<string> {
  return new Set(modules.filter(({ derivation }) => derivation?.layer === 'base').map(({ name }) => name));
}

/** The full names of the typed events that modules derive into state, in a chain of this namespace. */
export function derivedTypes(namespace: string, modules: readonly Module[] = MODULES): ReadonlySet<string> {
  const derivations = modules.flatMap(({ derivation }) => derivation ?? []);
  const parameters = plainParameters(namespace, '', '');
  const { eventTypes } = createDeriver({ derivations, parameters, generations: new Map() }).filter;
  return new Set([...eventTypes].filter((type) => type.includes('.')));
}
