/**
 * Modules of the base layer need no asset modules: they derive in every store, also in one that does not begin with the
 * chain's first block. Modules "are on" in a store whose checkpoint names a generation of any other module.
 */
export function areModulesOn(
  generations: ReadonlyMap<string, number>,
  baseModules: ReadonlySet<string>,
): boolean {
  for (const module of generations.keys()) if (!baseModules.has(module)) return true;
  return false;
}
