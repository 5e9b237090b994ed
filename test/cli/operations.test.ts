import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { REMEDIES } from '../../src/cli/failure.ts';

const operations = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');

describe('docs/operations.md', () => {
  it('explains every error code', () => {
    const missing = Object.keys(REMEDIES).filter((code) => !operations.includes(`\`${code}\``));
    expect(missing).toEqual([]);
  });
});
