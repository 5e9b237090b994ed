import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../src/store/package-root.ts';
import { settingsPage } from '../support/settings-page.ts';

it('docs/settings.md is what npm run settings makes of the records', async () => {
  expect(readFileSync(join(packageRoot(), 'docs', 'settings.md'), 'utf8')).toBe(await settingsPage());
});
