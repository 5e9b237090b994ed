import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A copy of the working tree in which files may be broken, with a dist/ of its own. */
export interface TreeCopy {
  readonly folder: string;
  /** Writes a source file, and what the threads run of it. Answers how to undo that. Errors: where it is no TypeScript. */
  replace(file: string, source: string): () => void;
  remove(): void;
}

/** Everything that git does not ignore, compiled; packages are links to the tree's own. The pages are not built. */
export function copyTree(root: string): TreeCopy {
  const folder = mkdtempSync(join(tmpdir(), 'strata-mutation-'));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.once('exit', remove);
  const listed = execFileSync('git', ['ls-files', '-coz', '--exclude-standard'], { cwd: root });
  for (const file of new Set(listed.toString('utf8').split('\0'))) {
    // a file that was deleted is listed until that is committed
    if (file === '' || !existsSync(join(root, file))) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    copyFileSync(join(root, file), join(folder, file));
  }
  linkPackages(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const project of ['kit', 'devnet', 'testnet', 'tsconfig.build.json']) compile(folder, project);
  return {
    folder,
    replace(file, source) {
      const [, home] = /^(kit|devnet|testnet)\/src\//.exec(file) ?? [];
      const compiled = join(
        folder,
        home === undefined
          ? join('dist', file.replace(/\.ts$/, '.js'))
          : join(home, 'dist', file.slice(`${home}/src/`.length).replace(/\.ts$/, '.js')),
      );
      const before = [join(folder, file), compiled].map((path) => [path, readFileSync(path)] as const);
      const undo = () => {
        for (const [path, bytes] of before) writeFileSync(path, bytes);
      };
      writeFileSync(join(folder, file), source);
      const base = home === undefined ? './tsconfig.build.json' : `./${home}/tsconfig.json`;
      const project = { extends: base, include: [], files: [file] };
      const compilerOptions = { noResolve: true };
      writeFileSync(join(folder, 'tsconfig.one.json'), JSON.stringify({ ...project, compilerOptions }));
      try {
        compile(folder, 'tsconfig.one.json');
      } catch (error) {
        undo();
        throw error;
      }
      return undo;
    },
    remove,
  };
}

/** A folder of its own, since tools keep caches in it. Links into the tree, to its workspaces, stay as they are. */
function linkPackages(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (entry.name.startsWith('@')) linkPackages(source, target);
    else if (entry.name !== '.vite') symlinkSync(source, target);
  }
}

/** Types are the type check's. */
function compile(folder: string, project: string): void {
  const tsc = join(folder, 'node_modules', 'typescript', 'bin', 'tsc');
  execFileSync(process.execPath, [tsc, '-p', project, '--noCheck'], { cwd: folder, stdio: 'pipe' });
}
