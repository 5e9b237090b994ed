import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('kit/descriptors.binpb is what `npm run proto` makes of proto/', () => {
  const folder = mkdtempSync(join(tmpdir(), 'strata-proto-'));
  try {
    const made = join(folder, 'made.binpb');
    const { proto } = JSON.parse(readFileSync('package.json', 'utf8')).scripts;
    const [command, ...args] = String(proto).replace('kit/descriptors.binpb', made).split(' ');
    execFileSync(join('node_modules', '.bin', String(command)), args);
    expect(readFileSync(made).equals(readFileSync('kit/descriptors.binpb'))).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
