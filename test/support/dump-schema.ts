import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KNOWN_FILE, splitStatements } from '../../src/store/definitions.ts';
import { openEmbedded } from '../../src/store/embedded.ts';
import { dumpSchema } from '../../src/store/migrations.ts';
import { packageRoot } from '../../src/store/package-root.ts';
import { definitionsOfMigrations } from './known-definitions.ts';
import { temporaryFolder } from './temporary-folder.ts';

/**
 * `npm run schema`: writes sql/schema.sql from an empty store that all migrations were applied to, and sql/known.sql.
 * What stands in known.sql already stays: stores of older versions and engines have it.
 */
const folder = await temporaryFolder();
const factory = await openEmbedded({ folder: folder.path });
try {
  const store = await factory.open('schema');
  const definitions = await definitionsOfMigrations(store);
  await writeFile(join(packageRoot(), 'sql/schema.sql'), await dumpSchema(store));
  const knownPath = join(packageRoot(), 'sql', KNOWN_FILE);
  const known = splitStatements(await readFile(knownPath, 'utf8').catch(() => ''));
  const all = new Set([...known, ...definitions]);
  await writeFile(knownPath, [...all].map((definition) => `${definition};\n`).join(''));
} finally {
  await factory.close();
  await folder.remove();
}
