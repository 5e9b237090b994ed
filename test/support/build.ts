import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Builds dist/ once before the tests, since threads and spawned commands run from there; types are the type check's. */
export function setup(): void {
  const root = join(import.meta.dirname, '..', '..');
  execFileSync(
    process.execPath,
    [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.build.json', '--noCheck'],
    {
      cwd: root,
      stdio: 'inherit',
    },
  );
}
