import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openEmbedded } from '../../src/store/embedded.ts';
import { packageRoot } from '../../src/store/package-root.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { dumpWholeSchema } from './whole-schema.ts';

/** `npm run schema`: writes sql/schema.sql. */
const folder = await temporaryFolder();
const factory = await openEmbedded({ folder: folder.path });
try {
  await writeFile(join(packageRoot(), 'sql/schema.sql'), await dumpWholeSchema(await factory.open('schema')));
} finally {
  await factory.close();
  await folder.remove();
}
