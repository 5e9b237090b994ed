import { tablesOf } from '../../src/modules/load.ts';
import { MODULES } from '../../src/modules/modules.ts';
import { dumpSchema, migrate } from '../../src/store/migrations.ts';
import type { Store } from '../../src/store/store.ts';
import { createStatements } from '../../src/store/table-ddl.ts';

/** Makes every table in an empty store, those of Strata's own modules too, and returns what sql/schema.sql shows. */
export async function dumpWholeSchema(store: Store): Promise<string> {
  await migrate(store);
  for (const statement of tablesOf(MODULES).flatMap(createStatements)) await store.command(statement);
  return dumpSchema(store);
}
