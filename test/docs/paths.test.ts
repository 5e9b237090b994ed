import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { expect, it } from 'vitest';

/** Files that texts name: in links, and in backticks where they begin with a folder of this repository. */

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDERS = [
  ...[
    'src',
    'workers',
    'sql',
    'bench',
    'test',
    'proto',
    'kit',
    'devnet',
    'testnet',
    'clients',
    'docs',
    'examples',
  ],
  '.ci',
];

/** Written by programs. */
const OUTPUTS = ['bench/results/'];
/** Names tests without their folder: security.test.ts checks it. */
const CHECKED_ELSEWHERE = 'docs/security.md';

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT })
  .toString()
  .trim()
  .split('\n');
const known = new Set(tracked.flatMap((file) => [file, ...foldersOf(file)]));
const texts = tracked.filter((file) => file.endsWith('.md') && !file.startsWith('test/fixtures/'));

function foldersOf(file: string): string[] {
  const folder = dirname(file);
  return folder === '.' ? ['.'] : [folder, ...foldersOf(folder)];
}

/** A text says `src/x` as of its package or as of the root; a test by its path without the ending. */
function exists(text: string, path: string): boolean {
  return [path, join(dirname(text), path)].some((from) => {
    const plain = from.replace(/\/$/, '');
    return known.has(plain) || tracked.some((file) => file.startsWith(`${plain}.`));
  });
}

it.each(texts)('%s names files that are there', (text) => {
  const content = readFileSync(join(ROOT, text), 'utf8');
  const links = [...content.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => !known.has(join(dirname(text), link).replace(/\/$/, '')));
  const named = [...content.matchAll(/`([\w.@/-]+)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => FOLDERS.includes(path.split('/')[0] ?? '') && path.includes('/'))
    .filter((path) => !OUTPUTS.includes(path) && !exists(text, path));
  expect([...links, ...(text === CHECKED_ELSEWHERE ? [] : named)]).toEqual([]);
});
