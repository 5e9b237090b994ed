import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../src/store/package-root.ts';
import { settingsPage } from './settings-page.ts';

/** `npm run settings`: writes docs/settings.md. */
await writeFile(join(packageRoot(), 'docs', 'settings.md'), await settingsPage());
