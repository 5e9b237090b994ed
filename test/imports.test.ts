import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Dependencies point one way: the table of docs/architecture.md, held against the imports. */

const ROOT = resolve(import.meta.dirname, '..');

const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  http: ['core'],
  chain: ['core', 'http'],
  decode: ['core'],
  derive: ['core'],
  store: ['core'],
  pipeline: ['core', 'chain', 'decode', 'derive', 'store'],
  api: ['core', 'store'],
  modules: ['core', 'derive', 'store', 'api'],
  reconcile: ['core', 'chain', 'decode', 'store', 'api', 'modules'],
  engine: ['core', 'store'],
  admin: ['core'],
  devnet: ['core', 'http'],
  app: ['core', 'devnet', 'http'],
  config: ['core'],
  cli: [
    'app',
    'core',
    'chain',
    'decode',
    'derive',
    'store',
    'pipeline',
    'api',
    'engine',
    'admin',
    'config',
    'devnet',
    'modules',
    'reconcile',
  ],
  workers: ['core', 'chain', 'decode', 'derive', 'devnet', 'store', 'pipeline', 'modules'],
  main: ['cli', 'config', 'main'],
};

function sources(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return sources(path);
    return /\.(c?ts|tsx)$/.test(name) ? [path] : [];
  });
}

/** The folder below src, or the file's own name for those that lie directly in it. */
function roomOf(path: string): string {
  const [top = '', second = ''] = relative(ROOT, path).split('/');
  if (top !== 'src') return top;
  const name = second.replace(/\.c?ts$/, '');
  return name === 'strata' ? 'main' : name;
}

interface Import {
  readonly file: string;
  readonly target: string;
}

const files = [...sources(join(ROOT, 'src')), ...sources(join(ROOT, 'workers'))];
const imports: readonly Import[] = files.flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(([, target = '']) => ({
    file,
    target,
  })),
);

describe('imports', () => {
  it('has files to look at', () => {
    expect(imports.length).toBeGreaterThan(200);
  });

  it('go one way between the rooms', () => {
    const wrong = imports.filter(({ file, target }) => {
      if (!target.startsWith('.')) return false;
      const from = roomOf(file);
      const to = roomOf(resolve(dirname(file), target));
      const allowed = MAY_IMPORT[from];
      return allowed === undefined || (from !== to && !allowed.includes(to));
    });
    expect(wrong.map(({ file, target }) => `${relative(ROOT, file)} imports ${target}`)).toEqual([]);
  });

  it('give the reference chain no more of src than encodings, hashes and what every server needs, and its client HTTP and headers', () => {
    const serving = ['allowed-hosts', 'body-budget', 'client-key', 'raw-errors', 'worker-url'];
    const lent = ['address', 'block-hash', 'bytes', 'excerpt', 'hash', 'time', ...serving].map(
      (name) => `src/core/${name}.ts`,
    );
    /** What only clients do: they ask nodes, and check their blocks. */
    const isClients = (target: string) =>
      roomOf(target) === 'http' || relative(ROOT, target) === 'src/core/hashed-header.ts';
    const wrong = imports
      .filter(({ file, target }) => roomOf(file) === 'devnet' && target.startsWith('.'))
      .map(({ file, target }) => [file, resolve(dirname(file), target)] as const)
      .filter(([file, target]) => !(isClients(target) && file.includes('/devnet/client/')))
      .filter(([, target]) => roomOf(target) !== 'devnet' && !lent.includes(relative(ROOT, target)));
    expect(wrong.map(([file, target]) => `${relative(ROOT, file)} imports ${target}`)).toEqual([]);
  });

  it('give the app no more of the reference chain than any client of a chain needs', () => {
    const wrong = imports
      .filter(({ file, target }) => roomOf(file) === 'app' && target.startsWith('.'))
      .map(
        ({ file, target }) => [relative(ROOT, file), relative(ROOT, resolve(dirname(file), target))] as const,
      )
      .filter(([, target]) => target.startsWith('src/devnet/'))
      .filter(
        ([, target]) => !/^src\/devnet\/(client\/|codec\/|json\.ts$|app\/(errors|coin)\.ts$)/.test(target),
      );
    expect(wrong.map(([file, target]) => `${file} imports ${target}`)).toEqual([]);
  });

  it('let the pages know the chain by HTTP alone', () => {
    const pages = sources(join(ROOT, 'web', 'src'));
    expect(pages.length).toBeGreaterThan(20);
    const wrong = pages.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)]
        .map(([, target = '']) => relative(ROOT, resolve(dirname(file), target)))
        .filter(
          (target) =>
            !/^(web\/src\/|clients\/ts\/src\/|proto\/|src\/app\/(what|page-paths)\.ts$)/.test(target),
        )
        .map((target) => `${relative(ROOT, file)} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('leave uWebSockets.js to one file, and the engine to two', () => {
    const using = (name: string) =>
      imports
        .filter(({ target }) => target === name || target.startsWith(`${name}/`))
        .map(({ file }) => relative(ROOT, file));
    expect(new Set(using('uWebSockets.js'))).toEqual(new Set(['src/api/server.ts']));
    expect(new Set(using('chdb'))).toEqual(new Set(['src/store/embedded.ts', 'src/engine/chdb.ts']));
    expect(new Set(using('undici'))).toEqual(new Set(['src/http/client.ts']));
  });

  it('reach every file from an entry', () => {
    const reached = new Set<string>();
    const visit = (file: string): void => {
      if (reached.has(file)) return;
      reached.add(file);
      for (const { file: from, target } of imports) {
        if (from === file && target.startsWith('.'))
          visit(resolve(dirname(file), target.replace(/\.js$/, '.ts')));
      }
    };
    for (const entry of ['src/strata.cts', 'workers/decode.cts', 'workers/simulate.cts', 'workers/writer.ts'])
      visit(join(ROOT, entry));
    const dead = files.filter((file) => !reached.has(file)).map((file) => relative(ROOT, file));
    expect(dead).toEqual([]);
  });
});

describe('purity', () => {
  it('keeps the asset modules out of core, which the indexer and the reference chain share', () => {
    const words =
      /\/(asset|bundle|right)\/v1|accru|carry|claimable|encumbr|waterfall|redempt|settlement|distribut|multiplier/i;
    const found = files
      .filter((file) => roomOf(file) === 'core')
      .flatMap((file) =>
        [...text(file).matchAll(new RegExp(words, 'gi'))].map(([word]) => [relative(ROOT, file), word]),
      );
    expect(found).toEqual([]);
  });

  const text = (file: string) => readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');

  it('keeps the environment to config.ts and the entry', () => {
    const readers = files
      .filter((file) => /process\.env/.test(text(file)))
      .map((file) => relative(ROOT, file));
    expect(readers.sort()).toEqual(['src/config.ts', 'src/strata.cts']);
  });

  it('keeps clock, randomness and I/O out of decode, derive and core', () => {
    const impure =
      /Date\.now|new Date\(\)|Math\.random|performance\.now|node:(fs|net|http|https|worker_threads|child_process)/;
    const found = files.filter(
      (file) => ['decode', 'derive', 'core'].includes(roomOf(file)) && impure.test(text(file)),
    );
    expect(found.map((file) => relative(ROOT, file))).toEqual(['src/core/clock.ts']);
  });
});

describe('what is tracked', () => {
  it('holds no line that an unresolved conflict left', () => {
    const found = spawnSync('git', ['grep', '-nIE', '^(<{7}|>{7}) '], { cwd: ROOT, encoding: 'utf8' });
    // 1: nothing found
    expect([found.status, found.stdout, found.stderr]).toEqual([1, '', '']);
  });
});
