import { type EngineNames, REFUSED_CATEGORIES, REFUSED_FUNCTIONS } from './reader-policy.ts';

/** What the engine itself calls its functions, for checkReaderStatement; `ask` gives the rows of a column. */
export async function readEngineNames(
  ask: (sql: string) => Promise<readonly string[]>,
): Promise<EngineNames> {
  const tableFunctions = await ask('SELECT lower(name) FROM system.table_functions');
  const quoted = (names: readonly string[]) => names.map((name) => `'${name.toLowerCase()}'`).join(', ');
  const categories = REFUSED_CATEGORIES.map((category) => `'${category}'`).join(', ');
  const refused = await ask(`WITH lower(name) AS own, lower(alias_to) AS of SELECT own FROM system.functions
WHERE own IN (${quoted(REFUSED_FUNCTIONS)}) OR of IN (${quoted(REFUSED_FUNCTIONS)})
OR of IN (SELECT lower(name) FROM system.functions WHERE categories IN (${categories}))
OR categories IN (${categories})`);
  return {
    tableFunctions: new Set(tableFunctions),
    refusedFunctions: new Set([...refused, ...REFUSED_FUNCTIONS.map((name) => name.toLowerCase())]),
  };
}
