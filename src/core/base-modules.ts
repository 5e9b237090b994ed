/**
 * Modules of the base layer: they need no asset modules and derive in every store, also in one that does not begin with
 * the chain's first block. Modules "are on" where others derive too.
 */
const BASE_MODULES: readonly string[] = ['dex', 'network'];

export function isBaseModule(module: string): boolean {
  return BASE_MODULES.includes(module);
}

/** Whether modules derive in a store whose checkpoint names these generations. */
export function areModulesOn(generations: ReadonlyMap<string, number>): boolean {
  for (const module of generations.keys()) if (!isBaseModule(module)) return true;
  return false;
}
