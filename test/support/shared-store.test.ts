import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** What opens a store by the product's code alone, in a process that may still hold a world's. */
const OPENS = /src\/(store\/embedded|cli\/stores)\.ts'/;

it('every file of kind store that opens a store by itself closes a shared one first', () => {
  const root = join(import.meta.dirname, '..');
  const own = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.store.test.ts'))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
    .filter(({ text }) => OPENS.test(text));
  expect(own.length).toBeGreaterThan(3);
  expect(own.filter(({ text }) => !text.includes('releaseSharedStore')).map(({ file }) => file)).toEqual([]);
});
