import { isReaderFunction } from './reader-policy.ts';

/** Functions of the engine, and of its users, that a reader may not call, in lower case. `ask` gives the rows of a column. */
export async function readRefusedFunctions(
  ask: (sql: string) => Promise<readonly string[]>,
): Promise<ReadonlySet<string>> {
  const names = await ask('SELECT DISTINCT lower(name) FROM system.functions');
  return new Set(names.filter((name) => !isReaderFunction(name)));
}
