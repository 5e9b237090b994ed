import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Each row of docs/security.md names tests: the files exist, and hold the titles that the row quotes. */

const ROOT = join(import.meta.dirname, '..', '..');

interface Reference {
  readonly row: string;
  /** A folder or a file without its kind and ending: `kit/test/bytes`, or below the root's test/: `cli/program`. */
  readonly path: string;
  /** The whole title, or its beginning where it ends with …. */
  readonly title: string | undefined;
}

/** Rows of the tables that name tests: threat, entry point, guard, test. */
function rowsIn(document: string): readonly (readonly [threat: string, tests: string])[] {
  return document
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter((cells) => cells.length === 6 && cells[4] !== 'test')
    .map(([, threat = '', , , tests = '']) => [threat, tests] as const);
}

function referencesIn([row, tests]: readonly [string, string]): readonly Reference[] {
  const found = [...tests.matchAll(/`([\w/-]+)`(?: "([^"]+)")?/g)];
  return found.map(([, path = '', title]) => ({ row, path, title }));
}

/** The files that a path names. */
function filesOf(path: string): readonly string[] {
  const whole = join(ROOT, /^(kit|devnet|testnet)\/test\//.test(path) ? path : join('test', path));
  if (existsSync(whole) && statSync(whole).isDirectory()) {
    const names = readdirSync(whole, { recursive: true, encoding: 'utf8' });
    return names.filter((name) => name.endsWith('.test.ts')).map((name) => join(whole, name));
  }
  const folder = join(whole, '..');
  if (!existsSync(folder)) return [];
  const name = path.slice(path.lastIndexOf('/') + 1);
  return readdirSync(folder)
    .filter((file) => new RegExp(`^${name}(\\.\\w+)?\\.test\\.ts$`).test(file) || file === `${name}.ts`)
    .map((file) => join(folder, file));
}

/** Texts in quotes, with their escapes resolved. */
function textsIn(source: string): readonly string[] {
  return [...source.matchAll(/(['"`])((?:(?!\1)[^\\\n]|\\.)*)\1/g)].map(([, , text = '']) =>
    text.replace(/\\(.)/g, '$1'),
  );
}

/** A title with %s, %i or $name is that of many tests: its fixed parts match, and the rest is a text of the file as well. */
function holds(source: string, title: string): boolean {
  const texts = textsIn(source);
  const wanted = title.replace(/…$/, '');
  const isWhole = wanted === title;
  if (texts.some((text) => (isWhole ? text === wanted : text.startsWith(wanted)))) return true;
  return texts.some((text) => {
    const parts = text.split(/%[sidfj]|\$\w+/);
    if (parts.length < 2 || parts.join('').length < 8) return false;
    const fixed = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    const match = new RegExp(`^${fixed.join('(.+)')}$`).exec(wanted);
    return match?.slice(1).every((rest) => texts.includes(rest)) === true;
  });
}

describe('docs/security.md', () => {
  const rows = rowsIn(readFileSync(join(ROOT, 'docs', 'security.md'), 'utf8'));

  it('names a test in each row', () => {
    expect(rows.length).toBeGreaterThan(80);
    expect(rows.filter((row) => referencesIn(row).length === 0)).toEqual([]);
  });

  it('names tests that exist, by the titles that they have', () => {
    const wrong = rows.flatMap(referencesIn).flatMap(({ row, path, title }) => {
      const files = filesOf(path);
      if (files.length === 0) return [`${path} is no test (${row})`];
      if (title === undefined || files.some((file) => holds(readFileSync(file, 'utf8'), title))) return [];
      return [`${path} has no test "${title}" (${row})`];
    });
    expect(wrong, wrong.join('\n')).toEqual([]);
  });

  it.each([
    ['costs no more…', "it('costs no more than an hour', () => {", true],
    ['costs no more', "it('costs no more than an hour', () => {", false],
    ['is not opened for a link', "it.each([['a link', 1]])('is not opened for %s', () => {", true],
    ['is not opened for a pipe', "it.each([['a link', 1]])('is not opened for %s', () => {", false],
    ["an hour's value", "it('an hour\\'s value', () => {", true],
  ])('a title %j is that of a test %j: %j', (title, source, isThere) => {
    expect(holds(source, title)).toBe(isThere);
  });
});
