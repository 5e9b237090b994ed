import { defineConfig } from 'vitest/config';
import { createCostReporter } from './test/support/cost-reporter.ts';

/** `npm test` stays within ten minutes: these, which take a minute each, belong to `npm run test:full`. */
const LONG = [
  'test/app/desk/kill.test.ts',
  'test/app-e2e/flows.test.ts',
  'test/app-e2e/living.test.ts',
  'test/app-e2e/pages.test.ts',
  'test/app-e2e/redeploy.test.ts',
  'test/app-e2e/trading.test.ts',
  'test/cli-e2e/full-disk.test.ts',
  'test/e2e/module-pages.test.ts',
  'test/kill/modules.test.ts',
  'test/kill/power-loss.test.ts',
  'test/kill/reindex.test.ts',
  'test/modules/contract-suite.test.ts',
  'test/modules/network-recorded.test.ts',
  'test/modules/plug-in.test.ts',
  'test/pipeline/facts.test.ts',
  'test/pipeline/faults.test.ts',
  'test/pipeline/nodes.test.ts',
  'test/pipeline/parameters.test.ts',
  'test/pipeline/rederive.test.ts',
  'test/pipeline/seals.test.ts',
  'test/pipeline/server-store.test.ts',
  'test/pipeline/upgrade.test.ts',
  'test/store/backup.test.ts',
];

/**
 * `npm run test:engine` proves that a store behind a process of its own is read and written like the embedded one. These
 * are about what comes before a store, nodes, or behind it, sockets and errors, or have such an engine anyway.
 */
const NOT_OF_THE_STORE = [
  ...['block-verifier', 'chain-context', 'decode-stage', 'failure-watch', 'faults', 'following', 'health'],
  ...['in-flight', 'nodes', 'server-store'],
]
  .map((name) => `test/pipeline/${name}.test.ts`)
  .concat(
    ['ahead', 'batch', 'cursor', 'errors', 'negotiate', 'observer', 'params', 'readers', 'server'].map(
      (name) => `test/api/${name}.test.ts`,
    ),
    ['slow-clients', 'to-be-derived', 'tx-json'].map((name) => `test/api/${name}.test.ts`),
    ['contract', 'errors', 'hostile'].map((name) => `test/e2e/${name}.test.ts`),
  );

const hasEngine = process.env.STRATA_TEST_STORE === 'engine';
const isFull = process.env.STRATA_TEST_POINTS === 'all';
const leftOut = hasEngine ? NOT_OF_THE_STORE : isFull ? [] : LONG;
/** A file that is named runs. */
const isNamed = (file: string) =>
  process.argv.some((arg) => arg.startsWith('test/') && arg.includes('.') && file.startsWith(arg));

export default defineConfig({
  test: {
    // threads run from dist/ (src/pipeline/worker-url.ts)
    // as src/strata.cts sets it
    env: { UWS_HTTP_MAX_HEADERS_SIZE: '16384' },
    globalSetup: ['test/support/build.ts'],
    setupFiles: ['test/support/cpu-setup.mjs', 'test/support/overdue.mjs'],
    reporters: ['default', createCostReporter()],
    include: ['test/**/*.test.ts'],
    exclude: leftOut.filter((file) => !isNamed(file)),
    // chDB must be loaded by a process's main thread: worker threads segfault at exit.
    pool: 'forks',
    // each waits for its engine, for processes and for timers a third of its time: more than the cores that CI has
    maxWorkers: 3,
    testTimeout: 60_000,
    // a second, the default, is what a busy machine takes for nothing
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 60_000,
  },
});
