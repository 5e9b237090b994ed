import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { createCostReporter } from './test/support/cost-reporter.ts';

/**
 * A test file's name says what it needs: `x.test.ts` nothing but code, `x.chain.test.ts` a reference chain in memory,
 * `x.store.test.ts` the embedded engine, `x.process.test.ts` processes of its own, `x.browser.test.ts` Chromium.
 */
const KINDS = ['chain', 'store', 'process', 'browser'] as const;
type Kind = (typeof KINDS)[number] | 'pure';

/** Of the indexer, and of each package beside it. */
const TEST_FOLDERS = ['test', 'kit/test', 'devnet/test', 'testnet/test'] as const;

/**
 * Beyond `npm test`, which stays within minutes: `npm run test:full` runs these with all their cases. They are the files
 * that start processes of the whole program, and those that cost most for what a change rarely breaks.
 */
const BEYOND = [
  'devnet/test/modules/events-alone.chain.test.ts',
  'devnet/test/simulation.chain.test.ts',
  'test/api/slow-clients.process.test.ts',
  'test/cli-e2e/api-processes.process.test.ts',
  'test/cli-e2e/app.process.test.ts',
  'test/cli-e2e/demo-recorded.process.test.ts',
  'test/cli-e2e/demo.process.test.ts',
  'test/cli-e2e/devnet-indexed.store.test.ts',
  'test/cli-e2e/full-disk.process.test.ts',
  'test/cli-e2e/operating.process.test.ts',
  'test/cli-e2e/reindex.process.test.ts',
  'test/cli-e2e/stopping.process.test.ts',
  'test/cli/sql.process.test.ts',
  'test/clients/ts.process.test.ts',
  'test/e2e/hostile.process.test.ts',
  'test/e2e/module-pages.store.test.ts',
  'test/e2e/pages.store.test.ts',
  'test/engine/clients.process.test.ts',
  'test/engine/http.process.test.ts',
  'test/engine/reader.process.test.ts',
  'test/kill/merge.process.test.ts',
  'test/kill/module-points.store.test.ts',
  'test/kill/points.process.test.ts',
  'test/kill/power-loss.store.test.ts',
  'test/kill/random.process.test.ts',
  'test/modules/contract-suite.store.test.ts',
  'test/modules/dex-by-hand.store.test.ts',
  'test/modules/faults.store.test.ts',
  'test/modules/holder-order.store.test.ts',
  'test/modules/network-recorded.store.test.ts',
  'test/modules/network.store.test.ts',
  'test/modules/plug-in.process.test.ts',
  'test/modules/quests-recorded.store.test.ts',
  'test/modules/reconciliation.store.test.ts',
  'test/modules/subjects.chain.test.ts',
  'test/pipeline/bad-blocks.store.test.ts',
  'test/pipeline/base-modules.store.test.ts',
  'test/pipeline/chain-context.store.test.ts',
  'test/pipeline/digests.store.test.ts',
  'test/pipeline/facts.store.test.ts',
  'test/pipeline/faults.store.test.ts',
  'test/pipeline/following.store.test.ts',
  'test/pipeline/nodes.store.test.ts',
  'test/pipeline/parameters.store.test.ts',
  'test/pipeline/raw-cache.store.test.ts',
  'test/pipeline/rederive.store.test.ts',
  'test/pipeline/rewind.store.test.ts',
  'test/pipeline/seals.store.test.ts',
  'test/pipeline/server-store.process.test.ts',
  'test/store/backup.store.test.ts',
  'test/store/deep-digests.store.test.ts',
  'test/store/foreign-objects.store.test.ts',
  'test/store/server-backup.process.test.ts',
  'testnet/test/app-e2e/app.browser.test.ts',
  'testnet/test/app-e2e/redeploy.browser.test.ts',
  'testnet/test/app/database/database.process.test.ts',
  'testnet/test/app/desk/kill.process.test.ts',
];
/** In `npm test` with some of their cases, and once more in the full run with all. */
const DEEPER = [
  'test/e2e/answers.store.test.ts',
  'test/kill/points.store.test.ts',
  'test/modules/equality.store.test.ts',
  'test/modules/income-properties.test.ts',
  'test/modules/payout.store.test.ts',
  'test/store/seals.store.test.ts',
];

/**
 * `npm run test:engine`: a store in a process of its own is read and written over HTTP like the embedded one. These
 * files have every kind of statement in them: inserts by worker threads, deletes, selects of each route, any text. What
 * is above the Store port is the same for both: any other file only sends more of the same statements.
 */
const OVER_HTTP = [
  'test/e2e/answers.store.test.ts',
  'test/e2e/any-text.store.test.ts',
  'test/e2e/module-answers.store.test.ts',
  'test/pipeline/resume.store.test.ts',
  'test/pipeline/writer.store.test.ts',
  'test/store/deep-digests.store.test.ts',
];

for (const file of [...BEYOND, ...DEEPER, ...OVER_HTTP]) {
  if (!existsSync(join(import.meta.dirname, file)))
    throw new Error(`${file} of vitest.config.ts does not exist`);
}

const isFull = process.env.STRATA_TEST_POINTS === 'all';
const hasEngine = process.env.STRATA_TEST_STORE === 'engine';
/** A process for each file, and the threads of a real run: what runs beyond `npm test` sets it. */
const hasOwnProcesses = process.env.STRATA_TEST_PROCESSES === 'own';
/** A file that is named by its path runs. */
const isNamed = (file: string): boolean =>
  process.argv.some((arg) => /^([a-z]+\/)?test\//.test(arg) && arg.includes('.') && file.startsWith(arg));

interface Traits {
  readonly order: number;
  /** False: its files share processes, each with the modules that the one before it has loaded. */
  readonly isolate: boolean;
  readonly maxWorkers: number;
}

function project(kind: Kind, { order, isolate, maxWorkers }: Traits) {
  const ofKind = (file: string): boolean => file.endsWith(kind === 'pure' ? '.test.ts' : `.${kind}.test.ts`);
  return {
    extends: true as const,
    test: {
      name: kind,
      include: isFull
        ? [...BEYOND, ...DEEPER].filter(ofKind)
        : hasEngine
          ? OVER_HTTP.filter(ofKind)
          : TEST_FOLDERS.map((folder) => `${folder}/**/*.${kind === 'pure' ? '' : `${kind}.`}test.ts`),
      exclude: [
        ...(kind === 'pure'
          ? KINDS.flatMap((other) => TEST_FOLDERS.map((folder) => `${folder}/**/*.${other}.test.ts`))
          : []),
        ...(isFull || hasEngine ? [] : BEYOND.filter((file) => !isNamed(file))),
      ],
      isolate: isolate || hasOwnProcesses,
      maxWorkers,
      sequence: { groupOrder: order, ...(kind === 'pure' ? { shuffle: { files: true, tests: false } } : {}) },
    },
  };
}

export default defineConfig({
  resolve: {
    // Packages of this repository are tested as sources. Conditions would reach the threads, which run from dist/.
    alias: [
      {
        find: /^strata-(kit|devnet|testnet)\/([^.]+)$/,
        replacement: join(import.meta.dirname, '$1', 'src', '$2.ts'),
      },
    ],
  },
  test: {
    // as src/strata.cts sets it
    env: { UWS_HTTP_MAX_HEADERS_SIZE: '16384' },
    // threads and processes run from dist/
    globalSetup: ['test/support/build.ts'],
    setupFiles: ['test/support/cpu-setup.mjs', 'test/support/overdue.mjs'],
    reporters: ['default', createCostReporter()],
    // each file of the sources is transformed once, not in every run
    experimental: { fsModuleCache: true },
    // chDB must be loaded by a process's main thread: worker threads segfault at exit.
    pool: 'forks',
    // that a busy machine is slow is no failure
    testTimeout: 120_000,
    // a second, the default, is what a busy machine takes for nothing
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 120_000,
    projects: [
      project('pure', { order: 0, isolate: false, maxWorkers: 2 }),
      project('chain', { order: 1, isolate: false, maxWorkers: 2 }),
      // Side by side, as each waits a third of its time: for processes, timers, pages. Vitest starts them by the names of
      // the projects, so the browser's one file, which takes longest, comes first.
      project('browser', { order: 2, isolate: true, maxWorkers: 3 }),
      project('process', { order: 2, isolate: false, maxWorkers: 3 }),
      project('store', { order: 2, isolate: false, maxWorkers: 3 }),
    ],
  },
});
