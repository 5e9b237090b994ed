import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FILTERS } from './filters.ts';
import { MUTATIONS } from './list.ts';
import { mutated } from './mutation.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const all = [...MUTATIONS.values()].flat();

describe('the list of mutations', () => {
  it('has each once, of a file that it changes in one place', () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    for (const mutation of all) {
      const source = readFileSync(join(ROOT, mutation.file), 'utf8');
      expect(mutated(source, mutation), mutation.id).not.toBe(source);
    }
  });

  it('names tests that exist, and all of them', () => {
    const files = ['test', 'kit/test', 'devnet/test', 'testnet/test']
      .flatMap((folder) =>
        readdirSync(join(ROOT, folder), { recursive: true }).map((file) => `${folder}/${String(file)}`),
      )
      .filter((file) => file.endsWith('.test.ts'));
    for (const filter of Object.values(FILTERS).flat()) {
      expect(
        files.some((file) => file.startsWith(filter)),
        filter,
      ).toBe(true);
    }
    expect(new Set(all.flatMap(({ tests }) => tests))).toEqual(new Set(Object.keys(FILTERS)));
  });
});

describe('a mutation', () => {
  const mutation = { id: 'one', file: 'a.ts', find: 'a < b', replace: 'a <= $&b', tests: [] };

  it('changes its place alone', () => {
    expect(mutated('if (a < b) a = 1;', mutation)).toBe('if (a <= $&b) a = 1;');
  });

  it('of a text that stands nowhere or twice is refused', () => {
    expect(() => mutated('a > b', mutation)).toThrow('one: its text stands 0 times in a.ts');
    expect(() => mutated('a < b, a < b', mutation)).toThrow('2 times');
  });
});
