import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const PACKAGE = '@scalar/api-reference';
const ENTRY = 'standalone.esm.js';

/**
 * The API reference as its package has built it for browsers, beside the pages' own files: it is Vue and three megabytes,
 * which no build of these pages needs to go through. An import of it becomes its address. The version stands in the
 * address, because what lies under `/assets` is kept by browsers for good.
 */
export function scalar(): Plugin {
  const root = packageFolder();
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const folder = `assets/scalar-${version}`;
  return {
    name: 'strata:scalar',
    apply: 'build',
    resolveId: {
      order: 'pre',
      handler: (id) => (id === PACKAGE ? { id: `/${folder}/${ENTRY}`, external: 'absolute' } : undefined),
    },
    generateBundle() {
      const built = join(root, 'dist', 'browser');
      const chunks = readdirSync(join(built, 'chunks')).map((name) => `chunks/${name}`);
      for (const name of [ENTRY, ...chunks]) {
        if (!name.endsWith('.js')) continue;
        // the maps it names are not published
        const source = readFileSync(join(built, name), 'utf8').replace(
          /\n\/\/# sourceMappingURL=.*\s*$/,
          '\n',
        );
        this.emitFile({ type: 'asset', fileName: `${folder}/${name}`, source });
      }
    },
  };
}

/** Its exports do not name its package.json. */
function packageFolder(): string {
  const entry = createRequire(import.meta.url).resolve(PACKAGE);
  return dirname(dirname(entry));
}
