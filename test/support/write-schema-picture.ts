import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../src/store/package-root.ts';
import { schemaPicture } from './schema-picture.ts';

await writeFile(join(packageRoot(), 'docs/schema.md'), schemaPicture());
