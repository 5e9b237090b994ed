import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Dependencies point one way: the table of docs/architecture.md, held against the imports. */

const ROOT = resolve(import.meta.dirname, '..');

/** Of the folders below src and of workers; every room may import strata-kit. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  chain: ['core'],
  decode: ['core'],
  derive: ['core'],
  store: ['core'],
  pipeline: ['core', 'chain', 'decode', 'derive', 'store'],
  api: ['core', 'store'],
  modules: ['core', 'derive', 'store', 'api'],
  reconcile: ['core', 'chain', 'decode', 'store', 'api', 'modules'],
  engine: ['core', 'store'],
  admin: ['core'],
  settings: ['core', 'chain'],
  cli: [
    'core',
    'chain',
    'decode',
    'derive',
    'store',
    'pipeline',
    'api',
    'engine',
    'admin',
    'settings',
    'modules',
    'reconcile',
  ],
  workers: ['core', 'chain', 'decode', 'derive', 'store', 'pipeline', 'modules'],
  main: ['cli', 'settings', 'main'],
};

/** The packages of this repository that each may import. Only the command line knows the devnet and the testnet app. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  kit: [],
  devnet: ['strata-kit'],
  testnet: ['strata-kit'],
  root: ['strata-kit'],
  cli: ['strata-kit', 'strata-devnet', 'strata-testnet'],
};

/** What a command's help may load: records and grammar, names and plain values. */
const HELP =
  /^(kit\/src\/|src\/settings\/|src\/core\/|src\/cli\/(commands\/|[\w-]+\.ts$)|(src\/chain\/replay|devnet\/src)\/faults\/names\.ts$|(devnet|testnet)\/src\/cli\/(?!run))/;

function sources(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return sources(path);
    return /\.(c?ts|tsx)$/.test(name) ? [path] : [];
  });
}

/** The package's folder, or in the root package the folder below src, or the name of a file directly in it. */
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

const OWN = ['kit', 'devnet', 'testnet'] as const;
const files = [...['src', 'workers'], ...OWN.map((name) => `${name}/src`)].flatMap((folder) =>
  sources(join(ROOT, folder)),
);
const imports: readonly Import[] = files.flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'([^'\s]+)'/g)].map(([, target = '']) => ({
    file,
    target,
  })),
);

/** The source of a file of this repository that an import names; undefined for a foreign package. */
function sourceOf({ file, target }: Import): string | undefined {
  if (target.startsWith('.')) return resolve(dirname(file), target.replace(/\.(c?)js$/, '.$1ts'));
  const [, name, path] = /^strata-(kit|devnet|testnet)\/(.+)$/.exec(target) ?? [];
  return name === undefined ? undefined : join(ROOT, name, 'src', `${path}.ts`);
}

describe('imports', () => {
  it('has files to look at', () => {
    expect(imports.length).toBeGreaterThan(200);
  });

  it('go one way between the rooms, and stay in their package', () => {
    const wrong = imports.filter((one) => {
      if (!one.target.startsWith('.')) return false;
      const from = roomOf(one.file);
      const to = roomOf(sourceOf(one) ?? '');
      return from !== to && MAY_IMPORT[from]?.includes(to) !== true;
    });
    expect(wrong.map(({ file, target }) => `${relative(ROOT, file)} imports ${target}`)).toEqual([]);
  });

  it('name only packages that may be known', () => {
    const wrong = imports.filter(({ file, target }) => {
      const [name] = /^strata-[a-z]+/.exec(target) ?? [];
      const room = roomOf(file);
      const allowed = PACKAGES[room] ?? PACKAGES.root ?? [];
      return name !== undefined && !allowed.includes(name);
    });
    expect(wrong.map(({ file, target }) => `${relative(ROOT, file)} imports ${target}`)).toEqual([]);
  });

  it('name only packages that their own package.json lists', () => {
    const wrong = [...OWN, ''].flatMap((name) => {
      const manifest = JSON.parse(readFileSync(join(ROOT, name, 'package.json'), 'utf8')) as {
        dependencies: Record<string, string>;
      };
      return imports
        .filter(({ file }) => {
          const [top = ''] = relative(ROOT, file).split('/');
          return name === '' ? top === 'src' || top === 'workers' : top === name;
        })
        .map(({ file, target }) => ({ file, name: /^(@[^/]+\/)?[^/]+/.exec(target)?.[0] ?? '' }))
        .filter((one) => !one.name.startsWith('.') && !one.name.startsWith('node:'))
        .filter((one) => !Object.hasOwn(manifest.dependencies, one.name))
        .filter((one) => name !== '' || !['strata-devnet', 'strata-testnet'].includes(one.name))
        .map((one) => `${relative(ROOT, one.file)} imports ${one.name}`);
    });
    expect(wrong).toEqual([]);
  });

  it('load nothing for help but the records and what reads them', () => {
    const reached = new Set<string>();
    const visit = (file: string): void => {
      if (reached.has(file)) return;
      reached.add(file);
      for (const [, target = ''] of readFileSync(file, 'utf8').matchAll(
        /^(?:import|export|\}) (?!type ).*from '([^'\s]+)'/gm,
      )) {
        const source = sourceOf({ file, target });
        if (source !== undefined) visit(source);
      }
    };
    visit(join(ROOT, 'src/cli/command-list.ts'));
    visit(join(ROOT, 'src/cli/strata.ts'));
    for (const name of ['devnet', 'keys', 'tx']) visit(join(ROOT, `devnet/src/cli/commands/${name}.ts`));
    visit(join(ROOT, 'testnet/src/cli/command.ts'));
    const found = [...reached].map((file) => relative(ROOT, file));
    expect(found).toContain('src/cli/commands/index.ts');
    expect(found.filter((file) => !HELP.test(file))).toEqual([]);
  });

  it('let the pages know the chain by HTTP alone', () => {
    const pages = sources(join(ROOT, 'testnet', 'web', 'src'));
    expect(pages.length).toBeGreaterThan(20);
    const wrong = pages.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+|strata-[^']+)'/g)]
        .map(([, target = '']) => relative(ROOT, sourceOf({ file, target }) ?? target))
        .filter(
          (target) =>
            !/^(testnet\/web\/src\/|clients\/ts\/src\/|kit\/descriptors\.binpb|kit\/src\/(client\/sign-direct|codec\/namespace)\.ts$|testnet\/src\/(what|page-paths)\.ts$)/.test(
              target,
            ),
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
    expect(new Set(using('undici'))).toEqual(new Set(['kit/src/http/client.ts']));
  });

  it('reach every file from an entry', () => {
    const reached = new Set<string>();
    const visit = (file: string): void => {
      if (reached.has(file)) return;
      reached.add(file);
      for (const one of imports) {
        const target = one.file === file ? sourceOf(one) : undefined;
        if (target !== undefined) visit(target);
      }
    };
    for (const entry of [
      'src/strata.cts',
      'workers/decode.cts',
      'devnet/src/simulation/worker.cts',
      'workers/writer.ts',
    ])
      visit(join(ROOT, entry));
    const dead = files.filter((file) => !reached.has(file)).map((file) => relative(ROOT, file));
    expect(dead).toEqual([]);
  });
});

describe('purity', () => {
  it('keeps the rules of the asset modules out of what the indexer and the reference chain share', () => {
    const words =
      /\/(asset|bundle|right)\/v1|accru|carry|claimable|encumbr|waterfall|redempt|settlement|distribut|multiplier/i;
    const found = files
      .filter((file) => roomOf(file) === 'core' || (roomOf(file) === 'kit' && !file.includes('/client/')))
      .flatMap((file) =>
        [...text(file).matchAll(new RegExp(words, 'gi'))].map(([word]) => [relative(ROOT, file), word]),
      );
    expect(found).toEqual([]);
  });

  const text = (file: string) => readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');

  it('keeps the environment to environment.ts and the entry', () => {
    const readers = files
      .filter((file) => /process\.env/.test(text(file)))
      .map((file) => relative(ROOT, file));
    expect(readers.sort()).toEqual(['src/cli/environment.ts', 'src/strata.cts']);
  });

  it('keeps clock, randomness and I/O out of decode, derive and core', () => {
    const impure =
      /Date\.now|new Date\(\)|Math\.random|performance\.now|node:(fs|net|http|https|worker_threads|child_process)/;
    const found = files.filter(
      (file) => ['decode', 'derive', 'core'].includes(roomOf(file)) && impure.test(text(file)),
    );
    expect(found.map((file) => relative(ROOT, file))).toEqual([]);
  });
});

describe('what is tracked', () => {
  it('holds no line that an unresolved conflict left', () => {
    const found = spawnSync('git', ['grep', '-nIE', '^(<{7}|>{7}) '], { cwd: ROOT, encoding: 'utf8' });
    // 1: nothing found
    expect([found.status, found.stdout, found.stderr]).toEqual([1, '', '']);
  });
});
