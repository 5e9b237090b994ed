import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../src/store/package-root.ts';
import { schemaPicture } from '../support/schema-picture.ts';

it('docs/schema.md shows the tables as they are declared (else run npm run schema:picture)', async () => {
  expect(schemaPicture()).toBe(await readFile(join(packageRoot(), 'docs/schema.md'), 'utf8'));
});
