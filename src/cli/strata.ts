import type { Listed } from 'strata-kit/cli/command';
import type { ProgramIo } from 'strata-kit/cli/context';
import { createLogger } from 'strata-kit/cli/logging';
import { createProgram, type Program } from 'strata-kit/cli/program';
import { LOGGING } from 'strata-kit/settings/logging';
import type { Threads } from '../pipeline/threads.ts';
import { stopSeconds } from '../settings/stopping.ts';
import { chainFailure } from './chain-failure.ts';
import { COMMANDS } from './command-list.ts';
import { describeFailure } from './failure.ts';

declare module 'strata-kit/cli/context' {
  interface CommandExtras {
    /** Where indexing decodes and writes; worker threads unless given. */
    readonly threads?: Threads;
  }
}

/** What `strata --help` says after the commands. */
const FOOTER = `
Settings:
  A flag wins over its variable, a variable over the file that --config names, the file over the default.
  strata <command> --help names every flag and, in brackets, its variable; in the file a flag such as
  --memory-mb is the key memoryMb. Results go to stdout, everything else to stderr.
  Exit codes: 0 done, 1 failed, 2 wrong settings, 3 verify found nothing to compare.

Examples:
  strata demo
  strata start --rpc http://127.0.0.1:26657
  strata start --config strata.yaml
`;

/** The last of every command's help. */
export const COMMON = [...LOGGING, stopSeconds] as const;

/** `strata`, the command line of this package and of those beside it. */
export function createStrata(io: ProgramIo, commands: readonly Listed[] = COMMANDS): Program {
  return createProgram(
    {
      texts: {
        name: 'strata',
        description: 'Indexes Cosmos SDK chains with an EVM into ClickHouse and serves their history.',
        footer: FOOTER,
      },
      commands,
      common: COMMON,
      createLog: ({ logFormat, logLevel }, out) => ({
        log: createLogger({ format: logFormat, level: logLevel, ...out }),
        isForMachines: logFormat === 'json',
      }),
      describeFailure: (error) => chainFailure(error) ?? describeFailure(error),
    },
    io,
  );
}
