import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderInMemory } from './folder-in-memory.ts';
import { templateKey } from './template-key.ts';
import { removeOldTemplates } from './templates.ts';

/**
 * Before the tests: builds dist/, from which threads and spawned commands run, where it is older than its sources (types
 * are the type check's); names the templates of these sources; has tests make their folders in memory where there is
 * room. Returns what removes those. STRATA_TEST_BUILT=1: dist/ is complete already (test/mutation).
 */
export async function setup(): Promise<() => void> {
  const root = join(import.meta.dirname, '..', '..');
  if (process.env.STRATA_TEST_BUILT !== '1') buildAll(root);
  const key = templateKey(root);
  try {
    await removeOldTemplates(key);
    process.env.STRATA_TEST_TEMPLATES = key;
  } catch (error) {
    process.stderr.write(`no templates are kept between runs: ${String(error)}\n`);
  }
  const folder = process.env.TMPDIR === undefined ? folderInMemory() : undefined;
  if (folder === undefined) return () => undefined;
  process.env.TMPDIR = folder;
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  // a run that is interrupted asks for no teardown
  process.once('exit', remove);
  return remove;
}

function buildAll(root: string): void {
  for (const [folder, sources] of PACKAGES) {
    build(root, join(folder, 'dist', '.built'), [...sources, ...COMMON_SOURCES], process.env, [
      ...['typescript/bin/tsc', '-p', folder === '' ? 'tsconfig.build.json' : folder, '--noCheck'],
    ]);
  }
  // vitest's own NODE_ENV would have it build for development
  build(
    root,
    join('testnet', 'dist', 'web', 'index.html'),
    WEB_SOURCES,
    { ...process.env, NODE_ENV: 'production' },
    [...['vite/bin/vite.js', 'build', 'testnet/web', '--logLevel', 'warn']],
  );
}

/** The packages by their folder, and what each dist/ is built from. Types are the type check's, so their order is free. */
const PACKAGES = [
  ['kit', ['kit/src', 'kit/tsconfig.json']],
  ['devnet', ['devnet/src', 'devnet/tsconfig.json']],
  ['testnet', ['testnet/src', 'testnet/tsconfig.json']],
  ['', ['src', 'workers', 'bench', 'tsconfig.build.json']],
] as const;
const COMMON_SOURCES = ['tsconfig.json', 'package-lock.json'];
const WEB_SOURCES = [
  ...['testnet/web', 'testnet/src/what.ts', 'testnet/src/page-paths.ts'],
  ...['clients/ts/src', 'kit/descriptors.binpb', 'package-lock.json'],
];

/** Runs a command of node_modules unless `built` is newer than every source; `built` says when it began. */
function build(
  root: string,
  built: string,
  sources: readonly string[],
  env: NodeJS.ProcessEnv,
  [script = '', ...args]: readonly string[],
): void {
  const path = join(root, built);
  const isNew =
    existsSync(path) && sources.every((name) => newestMs(join(root, name)) < statSync(path).mtimeMs);
  if (isNew) return;
  const startedS = Date.now() / 1_000;
  execFileSync(process.execPath, [join(root, 'node_modules', script), ...args], {
    cwd: root,
    stdio: 'inherit',
    env,
  });
  if (!existsSync(path)) writeFileSync(path, '');
  // a source that changes while it is built is built again
  utimesSync(path, startedS, startedS);
}

/** Of a file, or of everything below a folder; a folder's own time tells of files that are gone. */
function newestMs(path: string): number {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newestMs(join(path, name))));
}
