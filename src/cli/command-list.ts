import { type Listed, stub } from 'strata-kit/cli/command';
import { backup } from './commands/backup.ts';
import { capture } from './commands/capture.ts';
import { coverage } from './commands/coverage.ts';
import { demo } from './commands/demo.ts';
import { digest } from './commands/digest.ts';
import { doctor } from './commands/doctor.ts';
import { engine } from './commands/engine.ts';
import { index } from './commands/index.ts';
import { reindex } from './commands/reindex.ts';
import { repair } from './commands/repair.ts';
import { replay } from './commands/replay.ts';
import { restore } from './commands/restore.ts';
import { rewind } from './commands/rewind.ts';
import { serve } from './commands/serve.ts';
import { sql } from './commands/sql.ts';
import { start } from './commands/start.ts';
import { state } from './commands/state.ts';
import { verify } from './commands/verify.ts';

/** Every command of `strata`, in the order of its help. */
export const COMMANDS: readonly Listed[] = [
  index,
  serve,
  start,
  capture,
  replay,
  digest,
  coverage,
  engine,
  doctor,
  backup,
  restore,
  rewind,
  repair,
  reindex,
  verify,
  stub({
    name: 'corpus',
    summary: "write blocks of the reference chain's workload as a capture, and print their SHA-256",
    packageName: 'strata-devnet',
    load: async () => (await import('./commands/corpus.ts')).corpus,
  }),
  stub({
    name: 'devnet',
    summary: 'run a chain of its own with every module, an EVM and a workload',
    packageName: 'strata-devnet',
    load: async () => (await import('strata-devnet/cli/commands/devnet')).devnet,
  }),
  demo,
  stub({
    name: 'app',
    summary: 'serve the web pages, the launchpad, the trade desk and the faucet beside an indexer',
    packageName: 'strata-testnet',
    load: async () =>
      (await import('strata-testnet/cli/command')).app({
        withAdmin: async (...of) => (await import('./admin.ts')).withAdmin(...of),
      }),
  }),
  sql,
  state,
  stub({
    name: 'keys',
    summary: 'make, list, show, import and export keys of a testnet',
    packageName: 'strata-devnet',
    load: async () => (await import('strata-devnet/cli/commands/keys')).keys,
  }),
  stub({
    name: 'tx',
    summary: 'sign and send txs of the reference chain: strata tx <group> <operation> …',
    packageName: 'strata-devnet',
    load: async () => (await import('strata-devnet/cli/commands/tx')).tx,
  }),
];
