import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openEmbedded } from '../../src/store/embedded.ts';
import { dumpSchema, migrate } from '../../src/store/migrations.ts';
import { packageRoot } from '../../src/store/package-root.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** `npm run schema`: writes sql/schema.sql from an empty store that all migrations were applied to. */
const folder = await temporaryFolder();
const factory = await openEmbedded({ folder: folder.path });
try {
  const store = await factory.open('schema');
  await migrate(store);
  await writeFile(join(packageRoot(), 'sql/schema.sql'), await dumpSchema(store));
} finally {
  await factory.close();
  await folder.remove();
}
