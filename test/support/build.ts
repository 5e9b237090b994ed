import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { folderInMemory } from './folder-in-memory.ts';

/**
 * Before the tests: builds dist/ once, since threads and spawned commands run from there (types are the type check's),
 * and dist/web where that is older than what it is built from; has them make their folders in memory where there is
 * room. Returns what removes those. STRATA_TEST_BUILT=1: dist/ is there already (test/mutation).
 */
export function setup(): () => void {
  const root = join(import.meta.dirname, '..', '..');
  if (process.env.STRATA_TEST_BUILT !== '1') build(root);
  const folder = process.env.TMPDIR === undefined ? folderInMemory() : undefined;
  if (folder === undefined) return () => undefined;
  process.env.TMPDIR = folder;
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  // a run that is interrupted asks for no teardown
  process.once('exit', remove);
  return remove;
}

function build(root: string): void {
  execFileSync(
    process.execPath,
    [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.build.json', '--noCheck'],
    {
      cwd: root,
      stdio: 'inherit',
    },
  );
  if (isWebOld(root)) {
    execFileSync(
      process.execPath,
      [join(root, 'node_modules', 'vite', 'bin', 'vite.js'), 'build', 'web', '--logLevel', 'warn'],
      // vitest's own NODE_ENV would have it build for development
      { cwd: root, stdio: 'inherit', env: { ...process.env, NODE_ENV: 'production' } },
    );
  }
}

/** What the pages are built from. */
const WEB_SOURCES = ['web', 'clients/ts/src', 'proto', 'package-lock.json'];

function isWebOld(root: string): boolean {
  const page = join(root, 'dist', 'web', 'index.html');
  if (!existsSync(page)) return true;
  const builtMs = statSync(page).mtimeMs;
  return WEB_SOURCES.some((name) => newestMs(join(root, name)) >= builtMs);
}

/** Of a file, or of everything below a folder; a folder's own time tells of files that are gone. */
function newestMs(path: string): number {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newestMs(join(path, name))));
}
