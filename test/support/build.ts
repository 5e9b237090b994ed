import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { folderInMemory } from './folder-in-memory.ts';

/**
 * Before the tests: builds dist/ once, since threads and spawned commands run from there (types are the type check's),
 * and has them make their folders in memory where there is room. Returns what removes those.
 */
export function setup(): () => void {
  const root = join(import.meta.dirname, '..', '..');
  execFileSync(
    process.execPath,
    [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.build.json', '--noCheck'],
    {
      cwd: root,
      stdio: 'inherit',
    },
  );
  const folder = process.env.TMPDIR === undefined ? folderInMemory() : undefined;
  if (folder === undefined) return () => undefined;
  process.env.TMPDIR = folder;
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  // a run that is interrupted asks for no teardown
  process.once('exit', remove);
  return remove;
}
