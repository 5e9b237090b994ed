import { command } from 'strata-kit/cli/command';
import { StrataError } from 'strata-kit/errors';
import { ignoreBrokenPipe, withShutdown } from '../../dist/src/cli/shutdown.js';
import { createStrata } from '../../dist/src/cli/strata.js';
import { openEmbedded } from '../../dist/src/store/embedded.js';

/**
 * A Strata whose `digest` behaves as the first argument says. shutdown.process.test.ts runs it as a process, over the
 * built code: tsx takes half a second of CPU a start.
 */

const behaviours = {
  /** Ends well when told to, after the batch in hand. */
  polite: async ({ signal, print }) => {
    print('ready');
    await aborted(signal);
    await new Promise((resolve) => setTimeout(resolve, 50));
    print('closed');
  },
  /** Ends by the error that an aborted wait throws. */
  aborts: async ({ signal, print }) => {
    print('ready');
    await aborted(signal);
    throw new StrataError('aborted', 'shutting down');
  },
  /** Does not listen. */
  deaf: async ({ print }) => {
    print('ready');
    await new Promise((resolve) => setTimeout(resolve, 20_000));
  },
  /** Has the embedded engine insert for a minute. */
  inserting: async ({ print }) => {
    const store = await (await openEmbedded({ folder })).open('writer');
    await store.command('CREATE TABLE numbers (n UInt64, text String) ENGINE = MergeTree ORDER BY n');
    const inserted = store.command(
      'INSERT INTO numbers SELECT cityHash64(number), hex(number) FROM numbers(500000000)',
    );
    await new Promise((resolve) => setTimeout(resolve, 300));
    print('ready');
    await inserted;
  },
  done: async ({ print }) => print('ready'),
  /** More than a pipe holds. */
  talkative: async ({ print }) => {
    for (let i = 0; i < 20_000; i++) {
      print(`${i} ${'x'.repeat(80)}`);
      if (i % 1_000 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  },
};

function aborted(signal) {
  const alive = setInterval(() => {}, 1_000);
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      clearInterval(alive);
      resolve();
    });
  });
}

const [behaviour = '', deadlineMs = '5000', folder = ''] = process.argv.slice(2);
const digest = command({
  name: 'digest',
  summary: 'run a behaviour',
  settings: [],
  examples: [],
  options: () => ({}),
  run: (_options, context) => behaviours[behaviour]?.(context),
});
ignoreBrokenPipe(process.stdout);
ignoreBrokenPipe(process.stderr);
process.exitCode = await withShutdown(
  (signal) =>
    createStrata({ stdout: process.stdout, stderr: process.stderr, env: {}, signal }, [digest]).run([
      'digest',
    ]),
  { deadlineMs: Number(deadlineMs), stderr: process.stderr },
);
