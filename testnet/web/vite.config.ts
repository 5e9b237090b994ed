import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultClientConditions, defineConfig } from 'vite';
import { compressed } from './plugins/compressed.ts';
import { fonts } from './plugins/fonts.ts';
import { scalar } from './plugins/scalar.ts';

const root = dirname(fileURLToPath(import.meta.url));

/** `npm run build:web`; with `npx vite web` and an app at STRATA_APP (http://127.0.0.1:8090) pages reload as they are edited. */
export default defineConfig({
  root,
  // the sources of the packages of this repository
  resolve: { conditions: ['strata-source', ...defaultClientConditions] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [fonts(), scalar(), compressed()],
  build: {
    rolldownOptions: {
      input: [join(root, 'index.html'), join(root, 'reference', 'index.html')],
      checks: { pluginTimings: false },
    },
    // they tell nothing that the repository does not
    sourcemap: false,
    outDir: join(root, '..', 'dist', 'web'),
    emptyOutDir: true,
    target: 'es2022',
    // the CSP allows files of the app alone
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(
      ['/v1', '/api', '/openapi.yaml'].map((path) => [
        path,
        process.env.STRATA_APP ?? 'http://127.0.0.1:8090',
      ]),
    ),
  },
});
