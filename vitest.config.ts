import { defineConfig } from 'vitest/config';

/** `npm test` stays within ten minutes: these, which take a minute each, belong to `npm run test:full`. */
const LONG = [
  'test/e2e/module-pages.test.ts',
  'test/kill/modules.test.ts',
  'test/kill/reindex.test.ts',
  'test/modules/plug-in.test.ts',
  'test/pipeline/rederive.test.ts',
];
const isShort = process.env.STRATA_TEST_POINTS !== 'all' && process.env.STRATA_TEST_STORE !== 'engine';

export default defineConfig({
  test: {
    // threads run from dist/ (src/pipeline/worker-url.ts)
    globalSetup: ['test/support/build.ts'],
    setupFiles: ['test/support/overdue.mjs'],
    include: ['test/**/*.test.ts'],
    exclude: isShort && !process.argv.some((arg) => LONG.includes(arg)) ? LONG : [],
    // chDB must be loaded by a process's main thread: worker threads segfault at exit.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
