import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // threads run from dist/ (src/pipeline/worker-url.ts)
    globalSetup: ['test/support/build.ts'],
    setupFiles: ['test/support/overdue.mjs'],
    include: ['test/**/*.test.ts'],
    // chDB must be loaded by a process's main thread: worker threads segfault at exit.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
